/** Bytes that are still reachable, in the heap and beside it. Needs a process that was started with --expose-gc. */
export async function liveHeap(): Promise<number> {
  const collect = (globalThis as { gc?: () => void }).gc
  if (!collect) throw new Error('expected a process started with --expose-gc')
  // What is let go by finalizers and by callbacks of closed handles goes a turn later.
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

/** Collections for one reading at most, and the bytes below which another one found nothing more. */
const MAX_TURNS = 6
const SETTLED = 1024
