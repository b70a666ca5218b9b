import type { RecordKind } from '@godwit/store'
import { drop } from './collections/drop.js'
import { pages } from './collections/names.js'
import type { RedisConnection } from './connection.js'
import { asStoreError } from './failure.js'
import type { Primary } from './redis-handle.js'
import { clearLeasesScript } from './scripts/lease.js'

/** How many keys one SCAN step examines. */
const BATCH_SIZE = 500

/**
 * Drops all collections, then deletes every other key with this prefix except the audit and the kinds to keep. Leases are cleared without resetting
 * their fences.
 */
export async function clear(connection: RedisConnection, keep: readonly RecordKind[] = []): Promise<void> {
  for await (const collections of pages(connection, { limit: BATCH_SIZE }))
    await Promise.all(collections.map(collection => drop(connection, collection)))
  const primaries = await connection.handle.primaries()
  await Promise.all(primaries.map(primary => sweep(connection, primary, keep))).catch(error => {
    throw asStoreError(error)
  })
}

async function sweep(connection: RedisConnection, primary: Primary, keep: readonly RecordKind[]): Promise<void> {
  const { keys } = connection
  let cursor = '0'
  do {
    const answer = await primary(['SCAN', cursor, 'MATCH', keys.pattern, 'COUNT', `${BATCH_SIZE}`])
    const [next, found] = answer as readonly [string, readonly string[]]
    const gone = found.filter(key => !keys.isOfAudit(key) && !keys.isOfRecords(key, keep))
    const end = (key: string) => connection.run(clearLeasesScript, () => key)
    await Promise.all(gone.map(key => (keys.isOfLeases(key) ? end(key) : primary(['UNLINK', key]))))
    cursor = next
  } while (cursor !== '0')
}
