import type { JournalEntry, RefusedWrite, SettledMutation, Settlement, Store } from '@godwit/store'
import { recordRefusals } from '../../backend/refusals/record-refusals.js'
import { chargeRefused } from '../blobs/blob-quota.js'

type SettleEngine = { readonly store: Pick<Store, 'journal' | 'collections' | 'blobs' | 'registry' | 'now'> }

const PAGE = 200
/** The number of queued entries searched for dependents of a refusal. Blobs of later ones are charged to no user until they expire. */
const MAX_QUEUED = 2000

/**
 * Settles a mutation. A refused one is stored for operators with its dependents, which may come from other requests, and the user is charged again
 * for their blobs.
 */
export async function settleMutation(
  engine: SettleEngine,
  entry: JournalEntry,
  settlement: Settlement,
): Promise<SettledMutation | RefusedWrite<'epoch' | 'state'>> {
  const { collection, mutation } = entry
  const dependents = settlement.status === 'applied' ? [] : await dependentsOf(engine, entry)
  const settled = await engine.store.journal.settle(collection, mutation.key, settlement)
  if ('refused' in settled || settlement.status === 'applied') return settled
  await chargeRefused(engine, [entry, ...dependents])
  await recordRefusals(engine.store, [entry, ...dependents])
  return settled
}

/** Returns the queued mutations that the refusal of a create also refuses, directly or through others. */
async function dependentsOf(
  { store: { journal } }: SettleEngine,
  { collection, mutation }: JournalEntry,
): Promise<readonly JournalEntry[]> {
  if (mutation.operation !== 'create') return []
  const objects = new Set([mutation.object])
  const dependents: JournalEntry[] = []
  let after: number | undefined
  for (let read = 0; read < MAX_QUEUED; ) {
    const page = await journal.queued(collection, { after, limit: PAGE })
    for (const entry of page) {
      const { object, operation, owners = [] } = entry.mutation
      if (!owners.some(owner => objects.has(owner))) continue
      if (operation === 'create') objects.add(object)
      dependents.push(entry)
    }
    if (page.length === 0) break
    after = page.at(-1)?.sequence
    read += page.length
  }
  return dependents
}
