import { ERROR_CODES, type ObjectId, type Outcome, type OutcomeStatus, type SourceError } from '@godwit/protocol'
import type { Present } from '@godwit/store'
import { outcomeOf } from '@godwit/store/history'
import type { CollectionRow } from '../collections/head.js'
import { presentOf } from '../collections/read.js'
import { askNow } from '../collections/schedule.js'
import type { Connection } from '../connection.js'
import { nextOutcome } from './clients.js'
import { type Located, type MutationRow, mutationOf, undecidedRow } from './entry.js'
import { dependentsOf, forgetOwners, relink } from './owners.js'

export interface Decision {
  readonly status: Exclude<OutcomeStatus, 'queued'>
  readonly link?: ObjectId | undefined
  readonly error?: SourceError | undefined
  /** The object that the outcome tells of, and how it stood before. */
  readonly target: ObjectId
  readonly before: Present
  /** The head's version after it. */
  readonly version: number
}

const DECIDE = 'UPDATE mutation SET state = ?, decided = ?, outcomeNumber = ?, outcome = ? WHERE row = ?'

/** Gives an entry its outcome; any but `in_doubt` decides it. */
export function decide(connection: Connection, { collection, entry }: Located, decision: Decision): Outcome {
  const { target, ...facts } = decision
  const mutation = mutationOf(entry)
  const number = nextOutcome(connection, collection, entry.client)
  const outcome = outcomeOf({ ...facts, mutation, outcome: number, after: presentOf(connection, collection, target) })
  const isDecided = decision.status !== 'in_doubt'
  const { attributes, ...contentless } = outcome
  const kept = JSON.stringify(entry.contentless === 1 ? contentless : outcome)
  connection.statement(DECIDE).run(isDecided ? 'decided' : 'in_doubt', Number(isDecided), number, kept, entry.row)
  if (isDecided) forgetOwners(connection, collection, entry.row, mutation)
  return outcome
}

/** One that may have been done, or was not done, for a reason that stands in the documented list. */
export function decideByCode(
  connection: Connection,
  located: Located,
  code: 'in_doubt' | 'depends_on_refused',
  error: SourceError = { code, message: ERROR_CODES[code] },
): void {
  const { collection, entry } = located
  const target = mutationOf(entry).object
  const before = presentOf(connection, collection, target)
  decide(connection, located, { status: code, error, target, before, version: collection.version })
}

/** What may have been done shows only in the backend: a query is asked for. */
export function doubt(connection: Connection, located: Located, error?: SourceError): void {
  askNow(connection, located.collection)
  decideByCode(connection, located, 'in_doubt', error)
}

/** What a decided create means for those who name it; the number of those that it refuses, directly or through others. */
export function passOn(
  connection: Connection,
  { collection, entry }: Located,
  outcome: Pick<Outcome, 'status' | 'link'>,
): number {
  const mutation = mutationOf(entry)
  if (mutation.operation !== 'create') return 0
  const dependents = dependentsOf(connection, collection, mutation)
  if (outcome.status === 'applied') {
    const links = new Map([[mutation.object, outcome.link ?? mutation.object]])
    for (const dependent of dependents) relink(connection, collection, { dependent, links })
    return 0
  }
  return refuseAll(connection, collection, dependents)
}

function refuseAll(connection: Connection, collection: CollectionRow, dependents: readonly MutationRow[]): number {
  let refused = 0
  for (const { row } of dependents) {
    const entry = undecidedRow(connection, row)
    // Another dependent's refusal may have taken it along.
    if (!entry) continue
    decideByCode(connection, { collection, entry }, 'depends_on_refused')
    refused += 1 + passOn(connection, { collection, entry }, { status: 'depends_on_refused' })
  }
  return refused
}
