// Kills a Redis under load with SIGKILL, restarts it on the same files, and reports which acknowledged writes are gone:
//   node packages/store-redis/src/testing/what-a-kill-loses.ts [SECONDS of load, 4] [TURNS of each setting, 5]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectRedisStore } from '@godwit/store-redis'
import { startRedis } from '@godwit/testing'

const [seconds = 4, turns = 5] = process.argv.slice(2).map(Number)

const SETTINGS: readonly (readonly [name: string, settings: Readonly<Record<string, string>>])[] = [
  ['no persistence', { save: '', appendonly: 'no' }],
  ['RDB, `save 2 1`', { save: '2 1', appendonly: 'no' }],
  ['AOF, `everysec`', { save: '', appendonly: 'yes', appendfsync: 'everysec' }],
  ['AOF, `always`', { save: '', appendonly: 'yes', appendfsync: 'always' }],
]

/** Each writes to a separate collection, one write at a time. */
const WRITERS = 16
const NOTE = 'x'.repeat(200)

interface LostWrites {
  readonly written: number
  readonly lost: number
  /** Milliseconds between the oldest lost acknowledgement and the kill. */
  readonly oldest: number
}

const collection = (writer: number) => ({ source: 'Note', partition: `user:${writer}` })

async function killUnderLoad(settings: Readonly<Record<string, string>>): Promise<LostWrites> {
  const dir = mkdtempSync(join(tmpdir(), 'godwit-killed-'))
  try {
    const first = await startRedis({ ...settings, dir })
    const store = await connectRedisStore(first.url)
    // The time at which each version of each collection was acknowledged.
    const acknowledged = Array.from({ length: WRITERS }, (): number[] => [])
    let writing = true
    const writers = acknowledged.map(async (times, writer) => {
      while (writing) {
        await store.collections.apply(collection(writer), {
          merge: { [times.length % 100]: { NOTE, at: times.length } },
        })
        times.push(performance.now())
      }
    })
    const ended = Promise.allSettled(writers)
    await new Promise(resolve => setTimeout(resolve, seconds * 1000))
    const killed = performance.now()
    process.kill(first.pid, 'SIGKILL')
    writing = false
    await ended
    await store.close().catch(() => undefined)
    await first.stop()
    const found = await versionsIn(settings, dir)
    const lost = acknowledged.flatMap((times, writer) => times.slice(found[writer]))
    return {
      written: acknowledged.flat().length,
      lost: lost.length,
      oldest: lost.length > 0 ? killed - Math.min(...lost) : 0,
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function versionsIn(settings: Readonly<Record<string, string>>, dir: string): Promise<readonly number[]> {
  const second = await startRedis({ ...settings, dir })
  const store = await connectRedisStore(second.url)
  const heads = await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => store.collections.head(collection(writer))),
  )
  await store.close()
  await second.stop()
  return heads.map(head => head?.version ?? 0)
}

process.stdout.write(
  `| setting | writes a second | acknowledged | lost at most | the oldest of them before the kill |\n| --- | --- | --- | --- | --- |\n`,
)
for (const [name, settings] of SETTINGS) {
  const all: LostWrites[] = []
  for (let turn = 0; turn < turns; turn++) all.push(await killUnderLoad(settings))
  const written = all.reduce((sum, one) => sum + one.written, 0)
  const lost = Math.max(...all.map(one => one.lost))
  const oldest = Math.max(...all.map(one => one.oldest))
  process.stdout.write(
    `| ${name} | ${Math.round(written / turns / seconds)} | ${written} | ${lost} | ${lost === 0 ? '–' : `${(oldest / 1000).toFixed(1)} s`} |\n`,
  )
}
