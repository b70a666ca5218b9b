/** A time limit for one request. */
export interface Deadline {
  /** Aborted after the time, or with the given signal. */
  readonly signal: AbortSignal
  /** Releases the timer and the given signal. */
  release(): void
}

/**
 * Returns a deadline after the given milliseconds. `AbortSignal.any` and `AbortSignal.timeout` would retain each request, and its
 * listeners, until the time is over.
 */
export function deadlineOf(milliseconds: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const release = (): void => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', onAbort)
  }
  const end = (reason: unknown): void => {
    release()
    controller.abort(reason)
  }
  const onAbort = (): void => end(outer?.reason)
  const overdue = () => new DOMException(`The request took over ${milliseconds} ms.`, 'TimeoutError')
  const timer = setTimeout(() => end(overdue()), milliseconds)
  ;(timer as { unref?: () => void }).unref?.()
  if (outer?.aborted) onAbort()
  else outer?.addEventListener('abort', onAbort)
  return { signal: controller.signal, release }
}
