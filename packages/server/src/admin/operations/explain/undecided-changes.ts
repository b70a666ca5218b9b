import type { ObjectId } from '@godwit/protocol'
import type { CollectionId, JournalEntry, Store, UndecidedCursor } from '@godwit/store'
import type { UndecidedChange } from './facts.js'

const PAGE = 500
/** The number of mutations searched; a server with more undecided ones has another problem. */
const MOST = 10_000

/** Returns the undecided changes of an object. */
export async function undecidedChanges(
  { journal }: Pick<Store, 'journal'>,
  { source, partition }: CollectionId,
  object: ObjectId,
): Promise<readonly UndecidedChange[]> {
  const changes: UndecidedChange[] = []
  for (const state of ['queued', 'started', 'in_doubt'] as const) {
    let after: UndecidedCursor | undefined
    // A page of large mutations is short, so that only an empty one is the end.
    for (let looked = 0; looked < MOST; ) {
      const entries: readonly JournalEntry[] = await journal.undecided({ state, after, limit: PAGE })
      for (const { collection, mutation, client, attempts } of entries) {
        if (collection.source !== source || collection.partition !== partition || mutation.object !== object) continue
        const { operation, number } = mutation
        changes.push({ state, operation, number, client, attempts })
      }
      const last = entries.at(-1)
      if (last === undefined) break
      looked += entries.length
      after = { collection: last.collection, sequence: last.sequence }
    }
  }
  return changes
}
