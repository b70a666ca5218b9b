import type { ObjectId, Outcome } from '@godwit/protocol'
import type { CollectionId, RefusedWrite, SettledMutation, Settlement, StoredObjectState } from '@godwit/store'
import { changesByObject, mayDecide, type ObjectChange, settledWrite, storedId } from '@godwit/store/history'
import type { CollectionRow } from '../collections/head.js'
import { find } from '../collections/head.js'
import { OpenBatch } from '../collections/open-batch.js'
import { presentIn } from '../collections/read.js'
import { recordQueryRequest } from '../collections/schedule.js'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { decide, decideByCode } from './decide.js'
import { entryOfKey, firstStartIn, type LocatedMutation, type MutationEntry, undecidedEntry } from './entry.js'
import { dependentsOf, relink } from './owners.js'

/** One settlement of a batch. */
export interface SettleRequest {
  readonly key: string
  readonly settlement: Settlement
}

type SettleResult = SettledMutation | RefusedWrite<'epoch' | 'state'>

export const SELECT_LEFT = 'SELECT 1 FROM mutation WHERE collection = ? AND decided = 0 LIMIT 1'

/** Settles mutations in order, each with changes, outcome and dependents. All share one step, and their changes one new version. */
export function settle(
  database: Database,
  connection: SqliteConnection,
  id: CollectionId,
  all: readonly SettleRequest[],
): readonly SettleResult[] {
  const collection = find(connection, id)
  if (!collection) return all.map(() => ({ refused: 'epoch' }))
  const batch = new OpenBatch(database, connection, collection)
  const decided = all.map(one => settleOne(connection, batch, one))
  batch.close()
  const left = connection.statement(SELECT_LEFT).get(collection.number) !== undefined
  return decided.map(one => ('refused' in one ? one : { ...one, left }))
}

type DecidedResult = Omit<SettledMutation, 'left'> | RefusedWrite<'epoch' | 'state'>

function settleOne(connection: SqliteConnection, batch: OpenBatch, { key, settlement }: SettleRequest): DecidedResult {
  if (batch.collection.epoch !== settlement.epoch) return { refused: 'epoch' }
  const entry = entryOfKey(connection, batch.collection, key)
  if (!entry || !mayDecide(entry, settlement.fence)) return { refused: 'state' }
  return settleEntry(connection, { batch, entry }, withStoredIds(settlement))
}

function withStoredIds({ write, link, ...rest }: Settlement): Settlement {
  return {
    ...rest,
    ...(write && { write: { ...write, object: storedId(write.object) } }),
    ...(link !== undefined && { link: storedId(link) }),
  }
}

function settleEntry(
  connection: SqliteConnection,
  { batch, entry }: { readonly batch: OpenBatch; readonly entry: MutationEntry },
  settlement: Settlement,
): Omit<SettledMutation, 'left'> {
  const { status, link, error, overwrote, moved, ask = false } = settlement
  const target = settlement.write?.object ?? link ?? entry.mutation.object
  const row = batch.row(target)
  const before = presentIn(row)
  const { change, spared, asks } = changeOf(target, before, { entry, settlement })
  const { user, client } = entry
  const changed = change ? batch.from({ kind: 'device', user, client }).change(target, row, change) : row
  const after = changed === row ? before : presentIn(changed)
  const { collection } = batch
  const { version } = collection
  const queryRequest = ask || asks ? recordQueryRequest(connection, collection) : undefined
  const decision = { status, link, error, overwrote, moved, before, after, version }
  const outcome = decide(connection, { collection, entry }, decision)
  const refusedDependents = passOn(connection, { collection, entry }, outcome)
  return { outcome, version, spared, refusedDependents, ...(queryRequest !== undefined && { queryRequest }) }
}

interface SettledChange {
  /** Absent if nothing is written. */
  readonly change?: ObjectChange | undefined
  readonly spared: number
  readonly asks: boolean
}

function changeOf(
  target: ObjectId,
  present: StoredObjectState,
  { entry, settlement: { write, moved } }: { readonly entry: MutationEntry; readonly settlement: Settlement },
): SettledChange {
  if (!write) return { spared: 0, asks: false }
  const facts = { object: entry.mutation.object, present, start: firstStartIn(entry), isMoved: moved !== undefined }
  const { batch, ...reported } = settledWrite(write, facts)
  return { change: batch && changesByObject(batch).get(target), ...reported }
}

/** Passes a decided create on to the mutations that name it. Returns how many it refused, directly or through others. */
function passOn(connection: SqliteConnection, { collection, entry }: LocatedMutation, outcome: Outcome): number {
  const { mutation } = entry
  if (mutation.operation !== 'create') return 0
  const dependents = dependentsOf(connection, collection, mutation)
  if (outcome.status !== 'applied') return refuseDependents(connection, collection, dependents)
  const links = new Map([[mutation.object, outcome.link ?? mutation.object]])
  for (const dependent of dependents) relink(connection, collection, { dependent, links })
  return 0
}

/** Refuses mutations with their dependents, depth first. A list instead of recursion, since a device may send long chains. */
function refuseDependents(
  connection: SqliteConnection,
  collection: CollectionRow,
  dependents: readonly MutationEntry[],
): number {
  const ahead = dependents.toReversed()
  let refused = 0
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const entry = undecidedEntry(connection, next.row)
    // The refusal of another dependent may have included it.
    if (!entry) continue
    decideByCode(connection, { collection, entry }, 'depends_on_refused')
    if (entry.mutation.operation === 'create')
      ahead.push(...dependentsOf(connection, collection, entry.mutation).toReversed())
    refused++
  }
  return refused
}
