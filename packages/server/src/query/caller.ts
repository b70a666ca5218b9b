import { SyncError } from '@godwit/protocol'

/** Who waits for a query. Its signal is asked for only by a wait: most pulls wait for nothing, and to make one is dear. */
export interface WaitingCaller {
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal
}

/** Resolves with the work, or rejects as soon as the caller is gone; the work goes on. */
export function untilGone<T>(work: Promise<T>, caller: WaitingCaller | undefined): Promise<T> {
  if (caller === undefined) return work
  const { signal } = caller
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(callerGone())
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** The error that ends the work of a request whose caller is gone. It is never sent. */
export const callerGone = (): SyncError =>
  new SyncError('backend_timeout', 'The caller left before the query was over.')
