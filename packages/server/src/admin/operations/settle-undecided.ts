import { type MutationSettlement, type RetryResult, SyncError } from '@godwit/protocol'
import type { JournalEntry, Settlement } from '@godwit/store'
import { makeDue, otherPartition } from '../../backend/partitions/other-partition.js'
import { digestAttributes } from '../../backend/pass-through/digest.js'
import { DRAIN_CHANNEL } from '../../backend/sources/channels.js'
import { parametersOfPartition } from '../../backend/sources/partition-of.js'
import type { AdminEngine } from '../admin-engine.js'
import { findEntry, notInDoubt, retryResult } from './undecided-mutations.js'

/**
 * Settles a mutation in doubt as applied, with the result that an operator found in the backend. The source is not called; the partition becomes due,
 * so that the next query corrects a mistake.
 */
export async function settleUndecided(
  engine: AdminEngine,
  id: string,
  settlement: MutationSettlement = {},
): Promise<RetryResult> {
  const { journal, collections, events } = engine.store
  const { entry, collection } = await findEntry(engine.store, id)
  if (entry.state !== 'in_doubt') throw notInDoubt(entry)
  const source = engine.sources.find(collection.source)
  const isBare = source?.passThrough ?? false
  checkFits(entry, settlement, isBare)
  const epoch = (await collections.head(collection))?.epoch ?? ''
  const decision = { epoch, status: 'applied', ask: true, ...resultOf(entry, settlement, isBare) } as const
  const to = await dueTarget(engine, entry, decision.write)
  const settled = await journal.settle(collection, entry.mutation.key, { ...decision, ...to })
  if ('refused' in settled) throw notInDoubt(entry)
  engine.objectReadings.serve(engine, { source, entry, created: decision.link }, settled.queryRequest)
  engine.changes.announce(collection)
  await events.publish(DRAIN_CHANNEL, { ...collection })
  return retryResult({ ...entry, state: 'decided', outcome: settled.outcome })
}

/** Makes the partition due in which the object is now, if it is another one, and returns the settlement by which it leaves this one. */
async function dueTarget(
  engine: Pick<AdminEngine, 'store' | 'sources' | 'changes'>,
  { collection }: JournalEntry,
  write: Settlement['write'],
): Promise<Pick<Settlement, 'write' | 'moved'>> {
  const source = engine.sources.find(collection.source)
  const present = parametersOfPartition(collection.partition)
  if (source === undefined || present === undefined || write === undefined || 'remove' in write) return {}
  const before = await engine.store.collections.look(collection, write.object)
  const all = { ...present, ...(before.state === 'live' && before.attributes), ...write.set }
  const attributes = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
  const to = otherPartition(source, collection, attributes)
  if (to === undefined) return {}
  await makeDue(engine, to)
  return { write: { object: write.object, remove: true }, moved: { parameters: to.parameters, attributes } }
}

function checkFits(
  { mutation: { operation, object } }: JournalEntry,
  given: MutationSettlement,
  isBare: boolean,
): void {
  const flaws = [
    operation !== 'create' && given.object !== undefined && given.object !== object
      ? ['/object', `expected a real id for a create alone, got one for ${articleOf(operation)} ${operation}`]
      : [],
    operation === 'delete' && given.attributes !== undefined
      ? ['/attributes', 'expected no attributes for a delete, got some']
      : [],
    isBare && given.attributes !== undefined
      ? ['/attributes', 'expected no attributes for a source that passes through: the server keeps none']
      : [],
  ]
  const errors = flaws.flatMap(([path, message]) => (path && message ? [{ path, message }] : []))
  const [first] = errors
  if (first) throw new SyncError('value_not_allowed', `${first.message}. Nothing was changed.`, { details: { errors } })
}

const articleOf = (operation: string): string => (operation === 'update' ? 'an' : 'a')

function resultOf(
  { mutation: { operation, object, key, attributes } }: JournalEntry,
  given: MutationSettlement,
  isBare: boolean,
): Pick<Settlement, 'write' | 'link'> {
  if (operation === 'delete') return { write: { object, remove: true } }
  const real = given.object ?? object
  const set = isBare ? digestAttributes(key) : { ...attributes, ...given.attributes }
  return { write: { object: real, set }, ...(real !== object && { link: real }) }
}
