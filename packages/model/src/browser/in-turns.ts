import type { SyncAccessHandle } from './opfs.js'

/** Milliseconds that a large file is worked on before others get their turn. */
const SLICE_DURATION = 20
/** Bytes that are flushed together: a whole file of bulk data takes many times as long. */
const FLUSH_SIZE = 8 * 1024 * 1024
/** Bytes that are cut off a file together. */
const TRUNCATE_SIZE = 32 * 1024 * 1024

type ReadPart = () => Promise<Uint8Array | undefined>

/** What else waits in the thread is done. */
const yieldThread = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

/** Returns what gives the parts of a file that is written: parts that are there already come without a turn of the thread in between. */
export function inTurns(
  next: ReadPart,
  clock = () => performance.now(),
): (file: SyncAccessHandle) => ReturnType<ReadPart> {
  let began = clock()
  let unflushed = 0
  return async file => {
    if (unflushed >= FLUSH_SIZE) {
      file.flush()
      unflushed = 0
    }
    if (clock() - began > SLICE_DURATION) {
      await yieldThread()
      began = clock()
    }
    const part = await next()
    unflushed += part?.length ?? 0
    return part
  }
}

/** Cuts a file down to its beginning, as long as it `isThere`. */
export async function truncateInSteps(file: SyncAccessHandle, isThere: () => boolean): Promise<void> {
  for (;;) {
    await yieldThread()
    if (!isThere() || file.getSize() <= TRUNCATE_SIZE) return
    file.truncate(file.getSize() - TRUNCATE_SIZE)
  }
}
