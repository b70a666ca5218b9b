import { AUDIT } from './audit.js'
import { BLOBS } from './blobs.js'
import { CHANGE_LOG } from './change-log.js'
import { COLLECTIONS } from './collections.js'
import { CURSORS } from './cursors.js'
import { DUE_TIMES } from './due-times.js'
import { JOBS } from './jobs.js'
import { JOURNAL } from './journal.js'
import { PENDING_REMOVALS } from './pending-removals.js'
import { QUERY_REQUESTS } from './query-requests.js'
import { RECORDS } from './records.js'

/** A step from one schema to the next. */
export interface Migration {
  readonly sql: string
  /** The `fingerprintOf` a file after this step. */
  readonly fingerprint: string
}

/**
 * The migrations in order; `user_version` is the number applied to a file. Only ever append: files with each of these schemas exist, and `kept` has one
 * of each.
 */
export const MIGRATIONS: readonly Migration[] = [
  { sql: [COLLECTIONS, JOURNAL, RECORDS, BLOBS, JOBS, AUDIT].join(''), fingerprint: 'f57f982bd5affef1' },
  { sql: CHANGE_LOG, fingerprint: '0a7440577085f422' },
  { sql: DUE_TIMES, fingerprint: '068047caf1fe549a' },
  { sql: PENDING_REMOVALS, fingerprint: '4e020108a92f2a68' },
  { sql: CURSORS, fingerprint: '1122d1795635095f' },
  { sql: QUERY_REQUESTS, fingerprint: '4ff99219e90fee26' },
]
