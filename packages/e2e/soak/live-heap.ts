/** Returns the reachable bytes, in the heap and outside it. Needs a process with --expose-gc. */
export async function liveHeap(): Promise<number> {
  const collect = (globalThis as { gc?: () => void }).gc
  if (!collect) throw new Error('expected a process started with --expose-gc')
  // Memory freed by finalizers and close callbacks is released one turn later.
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    collect()
    await new Promise(resolve => setTimeout(resolve, 5))
    const { heapUsed, external } = process.memoryUsage()
    if (heapUsed + external > least - SETTLED) return Math.min(least, heapUsed + external)
    least = heapUsed + external
  }
  return least
}

/** Maximum number of collections for one reading, and the number of freed bytes below which no further one follows. */
const MAX_TURNS = 6
const SETTLED = 1024
