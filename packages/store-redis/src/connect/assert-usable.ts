import { SyncError } from '@godwit/protocol'
import { asStoreError } from '../failure.js'
import type { Primary, RedisHandle } from '../redis-handle.js'

/** The first version with sharded pub/sub. */
const MIN_VERSION = [7, 0] as const

/** Rejects if a Redis server would lose or refuse data later on; the error says what to change. */
export async function assertUsable(handle: RedisHandle): Promise<void> {
  for (const primary of await handle.primaries()) await assertServer(primary)
}

async function assertServer(primary: Primary): Promise<void> {
  const facts = await readInfo(primary)
  const version = facts.get('redis_version') ?? ''
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]))
    throw unusableError(`it is version ${version}. Godwit needs ${MIN_VERSION.join('.')} or newer`)
  if (facts.get('role') !== 'master')
    throw unusableError('it is a read-only replica. Name the primary, or its sentinels (redis-sentinel://…)')
  assertNoEviction(facts)
  await assertScripts(primary)
}

/** Rejects if a server may evict keys now. The policy can be changed while the server runs. */
export async function assertKeepsKeys(primary: Primary): Promise<void> {
  assertNoEviction(await readInfo(primary, 'memory'))
}

function assertNoEviction(facts: ReadonlyMap<string, string>): void {
  const policy = facts.get('maxmemory_policy') ?? 'noeviction'
  if (policy !== 'noeviction')
    throw unusableError(`it may evict data: its maxmemory-policy is ${policy}. Set it to noeviction`)
}

async function readInfo(primary: Primary, ...sections: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const text = await run(primary, ['INFO', ...sections])
  const lines = text.split(/\r?\n/).filter(line => line.includes(':'))
  return new Map(lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}

async function assertScripts(primary: Primary): Promise<void> {
  const said = await run(primary, ['EVAL', "return 'ready'", '0'])
  if (said !== 'ready') throw unusableError('it runs no scripts')
}

async function run(primary: Primary, command: readonly string[]): Promise<string> {
  try {
    return String(await primary(command))
  } catch (error) {
    throw asStoreError(error)
  }
}

const unusableError = (why: string): SyncError => new SyncError('store_unavailable', `${why}.`, { retryable: false })
