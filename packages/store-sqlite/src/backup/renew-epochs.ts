import { randomBytes } from 'node:crypto'
import type { SqliteHandle } from '../sqlite-handle.js'

/** The source of random ids for new epochs. */
export interface RenewOptions {
  /** Random text of 128 bits or more. Default 128 random bits. */
  readonly randomId?: () => string
}

/**
 * Resets what a restored file must not keep: positions and numbers of devices, leases, and the times of queries. Mutations and outcomes stay, by key;
 * undecided ones count as started, since their backend may have been called since the backup.
 */
const RENEW: readonly string[] = [
  `UPDATE mutation SET outcomeNumber = NULL, number = number - ifnull((
     SELECT highest FROM client WHERE client.collection = mutation.collection AND client.client = mutation.client), 0)`,
  "UPDATE mutation SET state = 'started', attempts = attempts + 1 WHERE decided = 0 AND state = 'queued'",
  "UPDATE mutation SET until = 0 WHERE decided = 0 AND state = 'started'",
  "UPDATE job SET until = 0 WHERE state = 'running'",
  'UPDATE collection SET queriesRequested = queriesRequested + 1 WHERE queriedAt IS NOT NULL OR sequence > 0',
  'UPDATE collection SET queriedAt = NULL, nextQuery = NULL, dueSetAt = NULL, pendingRemovals = NULL, acceptedRemovals = NULL',
  'UPDATE cursor SET fence = 0',
  ...['client', 'place', 'reader', 'lease'].map(table => `DELETE FROM ${table}`),
]

/** Gives every collection and its journal a new epoch, in one transaction. For a file that no server has open. */
export function renewEpochs(handle: SqliteHandle, { randomId = random128 }: RenewOptions = {}): void {
  handle.exec('BEGIN IMMEDIATE')
  try {
    const setEpoch = handle.prepare('UPDATE collection SET epoch = ? WHERE number = ?')
    const collections = handle.prepare('SELECT number FROM collection').all() as readonly { readonly number: number }[]
    for (const { number } of collections) setEpoch.run(randomId(), number)
    for (const statement of RENEW) handle.exec(statement)
    handle.exec('COMMIT')
  } catch (error) {
    if (handle.inTransaction) handle.exec('ROLLBACK')
    throw error
  }
}

const random128 = (): string => randomBytes(16).toString('base64url')
