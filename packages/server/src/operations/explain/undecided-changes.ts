import type { ObjectId } from '@godwit/protocol'
import type { CollectionId, JournalEntry, Store, UndecidedCursor } from '@godwit/store'
import type { UndecidedChange } from './facts.js'

const PAGE = 500
/** The number of pages searched; a server with more undecided mutations has another problem. */
const PAGES = 20

/** Returns the undecided changes of an object. */
export async function undecidedChanges(
  { journal }: Pick<Store, 'journal'>,
  { source, partition }: CollectionId,
  object: ObjectId,
): Promise<readonly UndecidedChange[]> {
  const changes: UndecidedChange[] = []
  for (const state of ['queued', 'started', 'in_doubt'] as const) {
    let after: UndecidedCursor | undefined
    for (let page = 0; page < PAGES; page++) {
      const entries: readonly JournalEntry[] = await journal.undecided({ state, after, limit: PAGE })
      for (const { collection, mutation, client, attempts } of entries) {
        if (collection.source !== source || collection.partition !== partition || mutation.object !== object) continue
        const { operation, number } = mutation
        changes.push({ state, operation, number, client, attempts })
      }
      const last = entries.at(-1)
      if (last === undefined || entries.length < PAGE) break
      after = { collection: last.collection, sequence: last.sequence }
    }
  }
  return changes
}
