/** Calls back later, unless what it returns is called before. */
export interface Timers {
  set(run: () => void, milliseconds: number): () => void
}

/** Those of the platform. They never keep a process alive. */
export const platformTimers: Timers = {
  set(run, milliseconds) {
    const timer = setTimeout(run, milliseconds)
    ;(timer as { unref?: () => void }).unref?.()
    return () => clearTimeout(timer)
  },
}
