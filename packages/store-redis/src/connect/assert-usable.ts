import { SyncError } from '@godwit/protocol'
import { asStoreError } from '../failure.js'
import type { Primary, RedisHandle } from '../redis-handle.js'

/** Sharded channels came with it. */
const MIN_VERSION = [7, 0] as const

/** Refuses a Redis that would lose or refuse data later on, saying what to change. */
export async function assertUsable(handle: RedisHandle): Promise<void> {
  for (const primary of await handle.primaries()) await assertServer(primary)
}

async function assertServer(primary: Primary): Promise<void> {
  const facts = await info(primary)
  const version = facts.get('redis_version') ?? ''
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]))
    throw unusable(`it is version ${version}. Godwit needs ${MIN_VERSION.join('.')} or newer`)
  if (facts.get('role') !== 'master')
    throw unusable('it is a read-only replica. Name the primary, or its sentinels (redis-sentinel://…)')
  const policy = facts.get('maxmemory_policy') ?? 'noeviction'
  if (policy !== 'noeviction')
    throw unusable(`it may throw data away: its maxmemory-policy is ${policy}. Set it to noeviction`)
  await assertScripts(primary)
}

async function info(primary: Primary): Promise<ReadonlyMap<string, string>> {
  const text = await answer(primary, ['INFO'])
  const lines = text.split(/\r?\n/).filter(line => line.includes(':'))
  return new Map(lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}

async function assertScripts(primary: Primary): Promise<void> {
  const said = await answer(primary, ['EVAL', "return 'ready'", '0'])
  if (said !== 'ready') throw unusable('it runs no scripts')
}

async function answer(primary: Primary, command: readonly string[]): Promise<string> {
  try {
    return String(await primary(command))
  } catch (error) {
    throw asStoreError(error)
  }
}

const unusable = (why: string): SyncError => new SyncError('store_unavailable', `${why}.`, { retryable: false })
