/** Schedules a callback, unless the returned function is called before. */
export interface Timers {
  set(run: () => void, milliseconds: number): () => void
}

/** The platform's timers. They never keep a process alive. */
export const platformTimers: Timers = {
  set(run, milliseconds) {
    const timer = setTimeout(run, milliseconds)
    ;(timer as { unref?: () => void }).unref?.()
    return () => clearTimeout(timer)
  },
}
