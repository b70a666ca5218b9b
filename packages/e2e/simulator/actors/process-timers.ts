/** Timers of one process: what it set is void once it is dead. */
export const timersOf = (process: { readonly isDead: boolean }) => ({
  set(run: () => void, milliseconds: number): () => void {
    const timer = setTimeout(() => process.isDead || run(), milliseconds)
    return () => clearTimeout(timer)
  },
})
