import { Checksum } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import type { CollectionId, Head } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'

type VerifyEngine = Pick<BackendEngine, 'store' | 'log' | 'stopping'>

const PAGE = 1000
const ATTEMPTS = 3

/** Compares a collection's objects with the count and checksum of its head in the background, and logs the result. */
export function verifyInBackground(engine: VerifyEngine, collection: CollectionId): void {
  verify(engine, collection).catch(error => {
    if (!engine.stopping.aborted)
      engine.log.error({ error: messageOf(error), source: collection.source }, 'could not verify a collection')
  })
}

async function verify({ store, log, stopping }: VerifyEngine, collection: CollectionId): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await store.collections.head(collection)
    const { count, checksum } = await sumRows(store, collection, stopping)
    const after = await store.collections.head(collection)
    if (!before || !after || stopping.aborted) return
    if (!isSame(before, after)) continue
    const facts = { source: collection.source, version: after.version, count, checksum }
    if (count === after.count && checksum === after.checksum) log.info(facts, 'count and checksum are correct')
    else
      log.error(
        { ...facts, head: after },
        'count or checksum of a collection is wrong: restore the collection or run a query',
      )
    return
  }
  log.info({ source: collection.source }, 'not verified: the collection keeps changing')
}

const isSame = (one: Head, other: Head): boolean => one.version === other.version && one.epoch === other.epoch

async function sumRows({ collections }: BackendEngine['store'], collection: CollectionId, stopping: AbortSignal) {
  const sum = new Checksum()
  let count = 0
  for (let after: string | undefined; !stopping.aborted; ) {
    const { rows, more } = await collections.list(collection, { after, limit: PAGE })
    for (const { id, version } of rows) sum.add(id, version)
    count += rows.length
    after = rows.at(-1)?.id
    if (!more) break
  }
  return { count, checksum: sum.toString() }
}
