import {
  type Attributes,
  ERROR_CODES,
  type ObjectId,
  type Outcome,
  type OutcomeStatus,
  type SourceError,
} from '@godwit/protocol'
import type { MovedObject, StoredObjectState } from '@godwit/store'
import { outcomeOf } from '@godwit/store/history'
import { presentOf } from '../collections/read.js'
import { recordQueryRequest } from '../collections/schedule.js'
import type { SqliteConnection } from '../connection.js'
import { nextOutcome } from './clients.js'
import type { LocatedMutation } from './entry.js'
import { forgetOwners } from './owners.js'

/** The decision about a mutation. */
export interface MutationDecision {
  readonly status: Exclude<OutcomeStatus, 'queued'>
  readonly link?: ObjectId | undefined
  readonly error?: SourceError | undefined
  readonly overwrote?: Attributes | undefined
  readonly moved?: MovedObject | undefined
  /** The object of the outcome: its state before the write, and its present state. */
  readonly before: StoredObjectState
  readonly after: StoredObjectState
  /** The head's version after the write. */
  readonly version: number
}

const DECIDE = 'UPDATE mutation SET state = ?, decided = ?, outcomeNumber = ?, outcome = ? WHERE row = ?'

/** Sets an entry's outcome; every status except `in_doubt` decides it. */
export function decide(
  connection: SqliteConnection,
  { collection, entry }: LocatedMutation,
  decision: MutationDecision,
): Outcome {
  // A mutation of an earlier epoch has no number; it gets one when its device pushes the key again.
  const number = entry.number > 0 ? nextOutcome(connection, collection, entry.client) : null
  const outcome = outcomeOf({ ...decision, mutation: entry.mutation, outcome: number ?? 0 })
  const isDecided = decision.status !== 'in_doubt'
  const { attributes, overwrote, ...contentless } = outcome
  const kept = JSON.stringify(entry.contentless === 1 ? contentless : outcome)
  connection.statement(DECIDE).run(isDecided ? 'decided' : 'in_doubt', Number(isDecided), number, kept, entry.row)
  if (isDecided) forgetOwners(connection, collection, entry)
  return outcome
}

/** Decides a mutation as in doubt or refused, with a documented error code. */
export function decideByCode(
  connection: SqliteConnection,
  located: LocatedMutation,
  code: 'in_doubt' | 'depends_on_refused',
  error: SourceError = { code, message: ERROR_CODES[code] },
): Outcome {
  const { collection, entry } = located
  const before = presentOf(connection, collection, entry.mutation.object)
  return decide(connection, located, { status: code, error, before, after: before, version: collection.version })
}

/**
 * Marks a mutation as in doubt and requests a query, since only that shows whether the backend applied it. Returns the number of the request.
 */
export function doubt(connection: SqliteConnection, located: LocatedMutation, error?: SourceError): number | undefined {
  const queryRequest = recordQueryRequest(connection, located.collection)
  decideByCode(connection, located, 'in_doubt', error)
  return queryRequest
}
