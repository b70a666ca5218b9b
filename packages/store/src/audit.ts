/** One entry of the audit as a store keeps it. What it says and how its hash is made is the server's business. */
export interface AuditRow {
  /** From 1, without gaps. */
  readonly number: number
  readonly text: string
  /** Over this text and the hash of the row before. */
  readonly hash: string
}

/** The last row that was appended. */
export type AuditHead = Pick<AuditRow, 'number' | 'hash'>

/** What was done to the server, and by whom: rows are added at its end and stay as they are. No operation changes or removes one, `clear` neither. */
export interface Audit {
  /** One atomic, durable step for all of them. False: the first is not the one after the head, because another process was faster; nothing was kept. */
  append(rows: readonly AuditRow[]): Promise<boolean>

  /** Kept beside the rows, so that a row that vanishes from the end is missed. Undefined: there is none yet. */
  head(): Promise<AuditHead | undefined>

  /** From the newest to the oldest: those before this number, at most `limit`. */
  list(page: { readonly before?: number | undefined; readonly limit: number }): Promise<readonly AuditRow[]>
}
