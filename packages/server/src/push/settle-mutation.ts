import type { JournalEntry, RefusedWrite, SettledMutation, Settlement, Store } from '@godwit/store'
import { chargeRefused } from '../quota/blob-quota.js'
import { recordRefusals } from '../refusals/record-refusals.js'

type SettleEngine = { readonly store: Pick<Store, 'journal' | 'collections' | 'blobs' | 'registry' | 'now'> }

const PAGE = 200
/** Queued entries searched for dependents of a refusal; blobs of later ones are charged to no user until they expire. */
const MAX_QUEUED = 2000

/**
 * Settles a mutation. Where it is refused, it is kept for operators with what depended on it, and its user is charged again with the blobs that it and what depended on it named: these may have come with
 * other requests, whose drains are over.
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

/** Queued mutations that the refusal of a create refuses too, be it through others. */
async function dependentsOf(
  { store: { journal } }: SettleEngine,
  { collection, mutation }: JournalEntry,
): Promise<readonly JournalEntry[]> {
  if (mutation.operation !== 'create') return []
  const objects = new Set([mutation.object])
  const dependents: JournalEntry[] = []
  let after: number | undefined
  for (let read = 0; read < MAX_QUEUED; read += PAGE) {
    const page = await journal.queued(collection, { after, limit: PAGE })
    for (const entry of page) {
      const { object, operation, owners = [] } = entry.mutation
      if (!owners.some(owner => objects.has(owner))) continue
      if (operation === 'create') objects.add(object)
      dependents.push(entry)
    }
    after = page.at(-1)?.sequence
    if (page.length < PAGE) break
  }
  return dependents
}
