/** Bytes that are still reachable, in the heap and beside it. Needs a process that was started with --expose-gc. */
export async function liveHeap(): Promise<number> {
  const collect = (globalThis as { gc?: () => void }).gc
  if (!collect) throw new Error('expected a process started with --expose-gc')
  // What is let go by finalizers and by callbacks of closed handles goes a turn later.
  for (let turn = 0; turn < 4; turn++) {
    collect()
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
