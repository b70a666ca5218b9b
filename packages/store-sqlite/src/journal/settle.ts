import type { CollectionId, Present, Refused, Settled, Settlement } from '@godwit/store'
import { changesByObject, mayDecide, settledWrite, storedId } from '@godwit/store/history'
import { applyTo } from '../collections/apply.js'
import { find } from '../collections/head.js'
import { presentOf } from '../collections/read.js'
import { askNow } from '../collections/schedule.js'
import type { Connection } from '../connection.js'
import type { Database } from '../database.js'
import { decide } from './decide.js'
import { entryOfKey, firstStartIn, type Located } from './entry.js'
import { passOn } from './pass-on.js'

/** changes → outcome → dependents, in one step. */
export function settle(
  database: Database,
  id: CollectionId,
  key: string,
  given: Settlement,
): Promise<Settled | Refused<'epoch' | 'state'>> {
  return database.write(connection => {
    const collection = find(connection, id)
    if (collection?.epoch !== given.epoch) return { refused: 'epoch' }
    const entry = entryOfKey(connection, collection, key)
    if (!entry || !mayDecide(entry, given.fence)) return { refused: 'state' }
    return settleEntry(database, connection, { collection, entry }, withStoredIds(given))
  })
}

function withStoredIds({ write, link, ...rest }: Settlement): Settlement {
  return {
    ...rest,
    ...(write && { write: { ...write, object: storedId(write.object) } }),
    ...(link !== undefined && { link: storedId(link) }),
  }
}

function settleEntry(database: Database, connection: Connection, located: Located, settlement: Settlement): Settled {
  const { collection, entry } = located
  const { status, link, error, ask = false } = settlement
  const target = settlement.write?.object ?? link ?? entry.mutation.object
  const before = presentOf(connection, collection, target)
  const { version, spared } = write(database, connection, located, { settlement, before })
  if (ask || spared > 0) askNow(connection, collection)
  const after = version === collection.version ? before : presentOf(connection, collection, target)
  const written = { entry, collection: { ...collection, version } }
  const outcome = decide(connection, written, { status, link, error, before, after, version })
  return { outcome, version, spared, refusedDependents: passOn(connection, written, outcome) }
}

function write(
  database: Database,
  connection: Connection,
  { collection, entry }: Located,
  { settlement, before }: { readonly settlement: Settlement; readonly before: Present },
): { readonly version: number; readonly spared: number } {
  if (!settlement.write) return { version: collection.version, spared: 0 }
  const facts = { object: entry.mutation.object, present: before, start: firstStartIn(entry) }
  const { batch, spared } = settledWrite(settlement.write, facts)
  if (!batch) return { version: collection.version, spared }
  return { version: applyTo(database, connection, collection, changesByObject(batch)).version, spared }
}
