import {
  decidedOwners,
  firstState,
  judgeAcceptance,
  rewriteIds,
  type Verdict,
  withoutContent,
} from '../history/index.js'
import type { Acceptance, Acceptances } from '../journal.js'
import { type BookEntry, toJournalEntry } from './journal-book.js'
import type { MemoryCollection } from './memory-collection.js'
import { doubt } from './settle.js'

/** Checks all mutations, acknowledges outcomes, then accepts each mutation. */
export function accept(collection: MemoryCollection, acceptance: Acceptance): Acceptances {
  const book = collection.journal
  const { acknowledged, outcomes, highest, keys } = book.client(acceptance.client)
  const judged = judgeAcceptance(acceptance, {
    epoch: collection.epoch,
    acknowledged,
    outcomes,
    highest,
    keyOf: number => keys.get(number),
    placeOf: key => {
      const entry = book.entries.get(key)
      return entry && { client: entry.client, user: entry.user, number: entry.mutation.number }
    },
  })
  if ('refused' in judged) return judged
  book.acknowledge(acceptance.client, acceptance.acknowledged)
  const entries = judged.verdicts.map(verdict => take(collection, acceptance, verdict))
  return {
    entries: entries.map(entry => toJournalEntry(entry, collection.id)),
    last: book.client(acceptance.client).outcomes,
    queried: collection.queriedAt !== undefined,
  }
}

function take(collection: MemoryCollection, acceptance: Acceptance, { verdict, mutation }: Verdict): BookEntry {
  const book = collection.journal
  const known = book.entries.get(mutation.key)
  if (known && verdict === 'moved') book.move(known, acceptance.client, mutation.number)
  if (known) return known
  const { client, user, contentless = false } = acceptance
  const linked = rewriteIds(
    mutation,
    decidedOwners(mutation, temporary => book.createOf(temporary)),
  )
  const entry = book.add({
    client,
    user,
    contentless,
    state: 'queued',
    mutation: contentless ? withoutContent(linked) : linked,
  })
  if (firstState(mutation, acceptance) === 'in_doubt') doubt(collection, entry)
  return entry
}
