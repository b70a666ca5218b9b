import type { WaitingCaller } from './caller.js'
import type { QueryRun } from './run-query.js'

/** A query, and who waits for it. */
export interface AskedQuery extends QueryRun {
  /** The id of the client that asks. Absent: the server itself does. */
  readonly client?: string
  readonly caller?: WaitingCaller | undefined
}
