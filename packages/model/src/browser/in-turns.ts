import type { SyncAccessHandle } from './opfs.js'

/** Milliseconds that a large file is worked on before others get their turn. */
const TURN = 20
/** Bytes that are flushed together: a whole file of bulk data takes many times as long. */
const FLUSHED = 8 * 1024 * 1024
/** Bytes that are cut off a file together. */
const CUT = 32 * 1024 * 1024

type Next = () => Promise<Uint8Array | undefined>

/** What else waits in the thread is done. */
const others = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

/** Returns what gives the parts of a file that is written: parts that are there already come without a turn of the thread in between. */
export function inTurns(next: Next, clock = () => performance.now()): (file: SyncAccessHandle) => ReturnType<Next> {
  let began = clock()
  let unflushed = 0
  return async file => {
    if (unflushed >= FLUSHED) {
      file.flush()
      unflushed = 0
    }
    if (clock() - began > TURN) {
      await others()
      began = clock()
    }
    const part = await next()
    unflushed += part?.length ?? 0
    return part
  }
}

/** Cuts a file down to its beginning, as long as it `isThere`. */
export async function cutDown(file: SyncAccessHandle, isThere: () => boolean): Promise<void> {
  for (;;) {
    await others()
    if (!isThere() || file.getSize() <= CUT) return
    file.truncate(file.getSize() - CUT)
  }
}
