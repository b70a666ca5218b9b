import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startRedis } from '@godwit/testing'
import { checkRoom } from './check-room.js'
import { runListeners } from './listeners.js'
import { missesOf } from './misses.js'
import { runProber } from './prober.js'
import { runStreams } from './run-streams.js'

/** Default limit of the 99th percentile of other requests in milliseconds; `--no-limit` disables it. */
const LONGEST = 1000

const [role, settings = '{}'] = process.argv.slice(2)
if (role === 'listeners') runListeners(JSON.parse(settings))
else if (role === 'prober') runProber(JSON.parse(settings))
else await main()

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      streams: { type: 'string', default: '10000' },
      sdks: { type: 'string', default: '24' },
      poll: { type: 'string', default: '60' },
      store: { type: 'string', default: 'sqlite' },
      longest: { type: 'string', default: `${LONGEST}` },
      'no-limit': { type: 'boolean', default: false },
    },
  })
  if (values.store !== 'sqlite' && values.store !== 'redis')
    throw new Error(`--store: expected sqlite or redis, got ${values.store}`)
  const [streams, sdks, pollInterval, longest] = [values.streams, values.sdks, values.poll, values.longest].map(
    Number,
  ) as [number, number, number, number]
  checkRoom(streams)
  const folder = mkdtempSync(join(tmpdir(), 'godwit-streams-'))
  const redis = values.store === 'redis' ? await startRedis({ appendonly: 'yes', appendfsync: 'everysec' }) : undefined
  try {
    const store = redis?.url ?? `sqlite:${join(folder, 'godwit.sqlite')}`
    const report = await runStreams({ store, folder, streams, sdks, pollInterval })
    process.stdout.write(
      `${JSON.stringify({ store: values.store, streams, sdks, pollInterval, ...report }, null, 2)}\n`,
    )
    const misses = missesOf(report, { streams, longest: values['no-limit'] ? undefined : longest })
    for (const miss of misses) process.stderr.write(`${miss}\n`)
    if (misses.length > 0) process.exitCode = 1
  } finally {
    await redis?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
