/** A row of the audit. The server defines its text and how its hash is computed. */
export interface AuditRow {
  /** Counts from 1, without gaps. */
  readonly number: number
  readonly text: string
  /** The hash over this text and the hash of the previous row. */
  readonly hash: string
}

/** The last row. */
export type AuditHead = Pick<AuditRow, 'number' | 'hash'>

/** An append-only log of actions on the server. No operation changes or removes a row, including `clear`. */
export interface Audit {
  /**
   * Appends all rows in one atomic, durable step. False, with nothing stored, if the first does not follow the head because another process appended
   * first.
   */
  append(rows: readonly AuditRow[]): Promise<boolean>

  /** The head, stored apart from the rows, so that a row removed from the end is detected. Undefined if there is none yet. */
  head(): Promise<AuditHead | undefined>

  /** Lists rows before this number, newest first, at most `limit`. */
  list(page: { readonly before?: number | undefined; readonly limit: number }): Promise<readonly AuditRow[]>
}
