import type { Mutation, Outcome, SourceError } from '@godwit/protocol'
import type { CollectionId, JournalEntry } from '@godwit/store'
import type { DeviceEngine } from '../device-engine.js'

type ReportEngine = Pick<DeviceEngine, 'reporter'>

interface PushReport {
  readonly collection: CollectionId
  readonly user: string
  readonly client: string
  readonly sent: readonly Mutation[]
  readonly outcomes: readonly Outcome[]
}

/** Reports a push with mutations, and their outcomes in its response. */
export function reportPush({ reporter }: ReportEngine, { collection, user, client, sent, outcomes }: PushReport): void {
  if (sent.length === 0 || !reporter.isWatched) return
  const numbers = new Set(sent.map(({ number }) => number))
  const own = outcomes.filter(({ number }) => numbers.has(number))
  const applied = own.filter(({ status }) => status === 'applied').length
  const refused = own.filter(({ status }) => isRefusal(status)).length
  reporter.report({ kind: 'mutations_pushed', ...collection, user, client, sent: sent.length, applied, refused })
}

const isRefusal = (status: Outcome['status']) =>
  status === 'refused' || status === 'conflict' || status === 'gone' || status === 'depends_on_refused'

/** Reports a mutation that was not applied; does nothing for an applied one. */
export function reportDecision({ reporter }: ReportEngine, entry: JournalEntry, { status, error }: Outcome): void {
  if (!reporter.isWatched || !isRefusal(status)) return
  reporter.report({
    kind: 'mutation_refused',
    ...reportedMutation(entry),
    status,
    error: error ?? { code: status, message: '' },
  })
}

/** Reports a mutation in doubt: the backend may or may not have made the change. */
export const reportDoubt = ({ reporter }: ReportEngine, entry: JournalEntry, error: SourceError): void =>
  reporter.report({ kind: 'mutation_in_doubt', ...reportedMutation(entry), error })

/** Reports that the outcome of a call to a backend is unknown. */
export const reportFailure = ({ reporter }: ReportEngine, entry: JournalEntry, error: SourceError): void =>
  reporter.report({
    kind: 'call_failed',
    ...entry.collection,
    user: entry.user,
    method: entry.mutation.operation,
    error,
  })

const reportedMutation = ({ collection, user, client, mutation: { operation, object } }: JournalEntry) => ({
  ...collection,
  user,
  client,
  operation,
  object,
})
