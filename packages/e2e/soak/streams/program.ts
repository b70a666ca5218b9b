import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startRedis } from '@godwit/testing'
import { checkRoom } from './check-room.js'
import { runListeners } from './listeners.js'
import { runProber } from './prober.js'
import { runStreams } from './run-streams.js'

const [role, settings = '{}'] = process.argv.slice(2)
if (role === 'listeners') runListeners(JSON.parse(settings))
else if (role === 'prober') runProber(JSON.parse(settings))
else await main()

/** Milliseconds within which 99 of 100 requests of others are answered, unless that is not judged here (`--no-limit`). */
const LONGEST = 1000

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      streams: { type: 'string', default: '10000' },
      sdks: { type: 'string', default: '24' },
      poll: { type: 'string', default: '60' },
      store: { type: 'string', default: 'sqlite' },
      'no-limit': { type: 'boolean', default: false },
    },
  })
  if (values.store !== 'sqlite' && values.store !== 'redis')
    throw new Error(`--store: expected sqlite or redis, got ${values.store}`)
  const [streams, sdks, pollInterval] = [values.streams, values.sdks, values.poll].map(Number) as [
    number,
    number,
    number,
  ]
  checkRoom(streams)
  const folder = mkdtempSync(join(tmpdir(), 'godwit-streams-'))
  const redis = values.store === 'redis' ? await startRedis({ appendonly: 'yes', appendfsync: 'everysec' }) : undefined
  try {
    const store = redis?.url ?? `sqlite:${join(folder, 'godwit.sqlite')}`
    const report = await runStreams({ store, folder, streams, sdks, pollInterval })
    process.stdout.write(
      `${JSON.stringify({ store: values.store, streams, sdks, pollInterval, ...report }, null, 2)}\n`,
    )
    const isSlow = report.phases.some(({ others }) => others.p99 > LONGEST || others.failed.length > 0)
    if (isSlow && !values['no-limit']) process.exitCode = 1
  } finally {
    await redis?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
