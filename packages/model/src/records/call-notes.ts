/** A call of another thread, as its page names it for life. */
export interface CallId {
  readonly page: string
  /** Of that page. */
  readonly number: number
}

/** A call of another thread whose reply is kept, so that a repeat is answered and not done. */
export interface NotedCall extends CallId {
  /** Milliseconds since 1970 when it was first asked. */
  readonly made: number
  /** It may have been asked of an earlier owner. */
  readonly repeat: boolean
  /** The owner that was asked. */
  readonly generation: number
}

/** Results as text. */
export interface ReplyText<T> {
  readonly write: (reply: T) => string
  readonly read: (text: string) => T
}

/**
 * Writes each call once, however often it is asked and whichever owner of the files it is asked of: the call and its reply are noted in the
 * transaction of the write, in each file that it wrote, and each note names all of these.
 */
export interface CallNotes {
  /** Begins the next generation of owners: calls of earlier ones write nothing any more. */
  begin(): number
  /**
   * The reply of the note, else that of `run`, in one transaction.
   * Throws `call_unfinished` when only some of its files have it, or its note was forgotten by age, and `device_moved` after a later owner began.
   */
  once<T>(call: NotedCall, run: () => T, text: ReplyText<T>): T
  /** The page has these replies: their notes go with a later write, or with `flush`. */
  acknowledge(page: string, numbers: readonly number[]): void
  /** Removes the notes of what was acknowledged, and those older than a day. */
  flush(): void
}
