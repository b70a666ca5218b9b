import type { Attributes, SentMutation } from '@godwit/protocol'
import type { StoredObjectState } from '@godwit/store'
import type { AdminEngine } from '../admin-engine.js'
import { entryFacts, findEntry, retryResult } from './undecided-mutations.js'

/** Returns a mutation as its device sent it, beside the object as the server holds it now. */
export async function readMutation(
  { store, sources }: Pick<AdminEngine, 'store' | 'sources'>,
  id: string,
): Promise<SentMutation> {
  const { entry, collection } = await findEntry(store, id)
  const { object, attributes, was, was_digests, owners } = entry.mutation
  const present = await store.collections.look(collection, entry.outcome?.link ?? object)
  const isBare = sources.find(collection.source)?.passThrough ?? false
  return {
    ...entryFacts(entry, entry.state),
    attributes: attributes ?? null,
    was: was ?? null,
    ...(was_digests && { was_digests }),
    owners: owners ?? [],
    present: presentOf(present, isBare),
    outcome: entry.state === 'decided' ? retryResult(entry) : null,
  }
}

/** A pass-through source stores a digest instead of attributes. */
function presentOf(present: StoredObjectState, isBare: boolean): { version: number; attributes: Attributes } | null {
  if (present.state !== 'live') return null
  return { version: present.version, attributes: isBare ? {} : present.attributes }
}
