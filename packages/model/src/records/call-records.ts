/** The identity of a call from another thread, which repeats of the call share. */
export interface CallId {
  readonly page: string
  /** Sequence number within the page. */
  readonly number: number
}

/** A call from another thread whose reply is stored, so that a repeat returns it without running again. */
export interface RecordedCall extends CallId {
  /** When it was first made, in milliseconds since 1970. */
  readonly made: number
  /** True if an earlier owner may have received it. */
  readonly repeat: boolean
  /** The generation of the owner that received it. */
  readonly generation: number
}

/** Converts results to text and back. */
export interface ReplyText<T> {
  readonly write: (reply: T) => string
  readonly read: (text: string) => T
}

/**
 * Runs each call once, even if it is repeated or sent to another owner of the files. Call and reply are recorded in the transaction of the write, in
 * each file that it wrote, and each record lists all of these files.
 */
export interface CallRecords {
  /** Starts the next generation of owners: calls of earlier ones can no longer write. */
  begin(): number
  /**
   * Returns the recorded reply, or the result of `run`, in one transaction. Throws `call_unfinished` if only some files have the record or it has
   * expired, and `device_moved` if a later owner has started.
   */
  once<T>(call: RecordedCall, run: () => T, text: ReplyText<T>): T
  /** Marks records as deletable because the page has received the replies. A later write or `flush` deletes them. */
  acknowledge(page: string, numbers: readonly number[]): void
  /** Deletes acknowledged records, and those older than a day. */
  flush(): void
}
