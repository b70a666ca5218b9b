const timersOf = new WeakMap<AbortSignal, Set<NodeJS.Timeout>>()

/**
 * Starts a timer that keeps the process alive only until the signal is aborted: a stopped server waits for none of its time-outs. Returns
 * what clears it. All timers of a signal share one listener, since thousands of calls may be under way.
 */
export function startServerTimer(stopping: AbortSignal, run: () => void, milliseconds: number): () => void {
  const timer = setTimeout(() => {
    timers.delete(timer)
    run()
  }, milliseconds)
  const timers = timersUntil(stopping)
  timers.add(timer)
  if (stopping.aborted) timer.unref()
  return () => {
    clearTimeout(timer)
    timers.delete(timer)
  }
}

function timersUntil(stopping: AbortSignal): Set<NodeJS.Timeout> {
  const known = timersOf.get(stopping)
  if (known) return known
  const timers = new Set<NodeJS.Timeout>()
  timersOf.set(stopping, timers)
  const release = (): void => {
    for (const timer of timers) timer.unref()
  }
  stopping.addEventListener('abort', release, { once: true })
  return timers
}
