import type { SyncAccessHandle } from './opfs.js'

/** Milliseconds of work on a large file before the thread yields. */
const SLICE_MS = 20
/** Bytes per flush: flushing a whole file of bulk data at once takes many times as long. */
const FLUSH_BYTES = 8 * 1024 * 1024
/** Bytes cut off a file at a time. */
const TRUNCATE_BYTES = 32 * 1024 * 1024

type ReadPart = () => Promise<Uint8Array | undefined>

/** Lets other work of the thread run. */
const yieldThread = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

/** Returns a reader of parts that yields the thread only when the next part is not available yet. */
export function yieldingReader(
  next: ReadPart,
  clock = () => performance.now(),
): (file: SyncAccessHandle) => ReturnType<ReadPart> {
  let began = clock()
  let unflushed = 0
  return async file => {
    if (unflushed >= FLUSH_BYTES) {
      file.flush()
      unflushed = 0
    }
    if (clock() - began > SLICE_MS) {
      await yieldThread()
      began = clock()
    }
    const part = await next()
    unflushed += part?.length ?? 0
    return part
  }
}

/** Truncates a file step by step, while `isThere` returns true. */
export async function truncateInSteps(file: SyncAccessHandle, isThere: () => boolean): Promise<void> {
  for (;;) {
    await yieldThread()
    if (!isThere() || file.getSize() <= TRUNCATE_BYTES) return
    file.truncate(file.getSize() - TRUNCATE_BYTES)
  }
}
