import type { Outcome } from '@godwit/protocol'
import type { CollectionRow } from '../collections/head.js'
import type { Connection } from '../connection.js'
import { decideByCode } from './decide.js'
import { type Entry, type Located, undecidedEntry } from './entry.js'
import { dependentsOf, relink } from './owners.js'

/** What a decided create means for those who name it; the number of those that it refuses, directly or through others. */
export function passOn(connection: Connection, { collection, entry }: Located, outcome: Outcome): number {
  const { mutation } = entry
  if (mutation.operation !== 'create') return 0
  const dependents = dependentsOf(connection, collection, mutation)
  if (outcome.status !== 'applied') return refuseAll(connection, collection, dependents)
  const links = new Map([[mutation.object, outcome.link ?? mutation.object]])
  for (const dependent of dependents) relink(connection, collection, { dependent, links })
  return 0
}

function refuseAll(connection: Connection, collection: CollectionRow, dependents: readonly Entry[]): number {
  let refused = 0
  for (const { row } of dependents) {
    const entry = undecidedEntry(connection, row)
    // Another dependent's refusal may have taken it along.
    if (!entry) continue
    const outcome = decideByCode(connection, { collection, entry }, 'depends_on_refused')
    refused += 1 + passOn(connection, { collection, entry }, outcome)
  }
  return refused
}
