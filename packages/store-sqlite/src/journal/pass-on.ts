import type { Outcome } from '@godwit/protocol'
import type { CollectionRow } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'
import { decideByCode } from './decide.js'
import { type LocatedMutation, type MutationEntry, undecidedEntry } from './entry.js'
import { dependentsOf, relink } from './owners.js'

/** What a decided create means for those who name it; the number of those that it refuses, directly or through others. */
export function passOn(connection: SqliteConnection, { collection, entry }: LocatedMutation, outcome: Outcome): number {
  const { mutation } = entry
  if (mutation.operation !== 'create') return 0
  const dependents = dependentsOf(connection, collection, mutation)
  if (outcome.status !== 'applied') return refuse(connection, collection, dependents)
  const links = new Map([[mutation.object, outcome.link ?? mutation.object]])
  for (const dependent of dependents) relink(connection, collection, { dependent, links })
  return 0
}

/** Each, then its own dependents, then the next. By a list instead of recursion: a device may send long chains. */
function refuse(connection: SqliteConnection, collection: CollectionRow, dependents: readonly MutationEntry[]): number {
  const ahead = dependents.toReversed()
  let refused = 0
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const entry = undecidedEntry(connection, next.row)
    // Another dependent's refusal may have taken it along.
    if (!entry) continue
    decideByCode(connection, { collection, entry }, 'depends_on_refused')
    if (entry.mutation.operation === 'create')
      ahead.push(...dependentsOf(connection, collection, entry.mutation).toReversed())
    refused++
  }
  return refused
}
