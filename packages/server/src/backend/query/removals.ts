import { messageOf } from '@godwit/source'
import type { CollectionId, Head, PendingRemovals, RemovalConfirmation, ReplaceResult } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'
import type { QueryRun } from './query-runs.js'

/** Milliseconds for which results without any object must agree: an outage of a backend often looks like that. */
const NOTHING = 3_600_000

/**
 * Returns how queries confirm removals that were held back; undefined for a partition of all users, where only an operator does. The server repeats
 * no query with parameters, since these are the app's.
 */
export function confirmationOf(
  { limits }: Pick<BackendEngine, 'limits'>,
  { source, user, parameters }: Pick<QueryRun, 'source' | 'user' | 'parameters'>,
): RemovalConfirmation | undefined {
  if (source.partition === 'app') return undefined
  const after = limits.confirmRemovals * 1000
  const isPlain = Object.keys(parameters).length === 0
  return { after, afterNothing: Math.max(after, NOTHING), ...(isPlain && { user }) }
}

/** Records in log and audit that removals were first held back, or that those held back were applied. */
export async function recordRemovals(
  engine: Pick<BackendEngine, 'auditor' | 'clock' | 'log'>,
  collection: CollectionId,
  before: Head,
  { pendingRemovals: pending, removed }: ReplaceResult,
): Promise<void> {
  if (pending !== undefined && before.pendingRemovals === undefined) {
    engine.log.warn(
      { ...collection, removals: pending.count },
      'a query would remove too many objects: removals are pending',
    )
    await audit(engine, collection, { action: 'query.hold_removals', about: aboutOf(pending) })
  }
  if (pending === undefined && before.pendingRemovals !== undefined) {
    engine.log.info({ ...collection, removals: removed }, 'pending removals ended')
    await audit(engine, collection, { action: 'query.end_removals', about: { removed } })
  }
}

const aboutOf = ({ count, since }: PendingRemovals) => ({ removals: count, since: new Date(since).toISOString() })

async function audit(
  { auditor, clock, log }: Pick<BackendEngine, 'auditor' | 'clock' | 'log'>,
  collection: CollectionId,
  { action, about }: { readonly action: string; readonly about: { readonly [name: string]: string | number } },
): Promise<void> {
  const entry = { time: new Date(clock()).toISOString(), login: null, role: null, action, address: '', result: 'ok' }
  await auditor
    .record({ ...entry, about: { ...collection, ...about } })
    .catch(error => log.error({ error: messageOf(error) }, `could not record ${action} in the audit log`))
}
