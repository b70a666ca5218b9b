import { SyncError } from '@godwit/protocol'
import type { OpfsFolder, SyncAccessHandle } from './opfs.js'
import { whenFree } from './when-free.js'

const MEBIBYTE = 1024 * 1024
/** Bytes kept on disk so that a full device can go on sending: it has to write before it sends. */
const RESERVE = 8 * MEBIBYTE
/** A full device is so until it can have this much beside its reserve. */
const MIN_FREE = 8 * MEBIBYTE
/** Milliseconds for which a device stays full at least: what was refused may have been larger than the room there is. */
const MIN_FULL_DURATION = 10_000

/** Room on disk that is given back when there is no other. */
export interface Reserve {
  readonly isFull: boolean
  /** To be called after a write that failed. True: there was no room, and the reserve is given back. */
  isCause(error: unknown): boolean
  /** Takes the reserve again where there is room. Resolves to whether there is none. */
  look(): Promise<boolean>
  close(): void
}

/** The reserve of a device without files. */
export const NO_RESERVE: Reserve = { isFull: false, isCause: () => false, look: async () => false, close() {} }

/** Takes the reserve of a device in its folder. `changed`: told whenever it is given back or taken again. */
export async function openReserve(folder: OpfsFolder, changed: () => void): Promise<Reserve> {
  const file = await folder.getFileHandle('reserve', { create: true })
  const first = await whenFree(() => file.createSyncAccessHandle())
  let handle: SyncAccessHandle | undefined = first
  let looking: Promise<void> | undefined
  let isClosed = false
  let since = 0
  // A browser counts what an open file once had: room is given back by closing it.
  const giveBack = (held: SyncAccessHandle): void => {
    handle = undefined
    since = performance.now()
    held.truncate(0)
    held.close()
  }
  const take = async (): Promise<void> => {
    const held = await whenFree(() => file.createSyncAccessHandle())
    handle = held
    const hasRoom = !isClosed && resize(held, RESERVE + MIN_FREE) && resize(held, RESERVE)
    if (!hasRoom) return giveBack(held)
    changed()
  }
  if (!resize(first, RESERVE)) giveBack(first)
  return {
    get isFull() {
      return handle === undefined
    },
    isCause(error) {
      if (!isQuota(error)) return false
      if (handle === undefined) return true
      giveBack(handle)
      changed()
      return true
    },
    async look() {
      if (handle === undefined && !isClosed && performance.now() - since >= MIN_FULL_DURATION) {
        looking ??= take().finally(() => {
          looking = undefined
        })
        await looking
      }
      return handle === undefined
    },
    close() {
      isClosed = true
      handle?.close()
    },
  }
}

/** Private windows of some browsers do not throw where there is no room. */
function resize(handle: SyncAccessHandle, bytes: number): boolean {
  try {
    if (handle.getSize() !== bytes) handle.truncate(bytes)
    return handle.getSize() === bytes
  } catch (error) {
    if (isQuota(error)) return false
    throw error
  }
}

/** What browsers throw where there is no room. Firefox has separate names for a file that cannot grow. */
const FULL_NAMES = ['QuotaExceededError', 'NS_ERROR_FILE_NO_DEVICE_SPACE', 'NS_ERROR_FILE_DISK_FULL']

/** SQLite's files say less where a write was cut short, as in private windows. */
function isQuota(error: unknown): boolean {
  const { name = '', message } = (error ?? {}) as Partial<Error>
  return FULL_NAMES.includes(name) || message === 'Unknown write() failure.'
}

/** What does not fit on the device was not stored. */
export const storageFull = (cause?: unknown): SyncError =>
  new SyncError(
    'storage_full',
    'The storage of this device is full, and nothing was stored. Free some space; what waits is sent meanwhile.',
    { cause },
  )

/** Writes all of the bytes, and throws `QuotaExceededError` where there is no room: private windows of some browsers answer with a count that cannot be. */
export function writeAll(handle: SyncAccessHandle, bytes: Uint8Array, from: number): void {
  for (let at = 0; at < bytes.length; ) {
    const count = handle.write(bytes.subarray(at), { at: from + at })
    if (count <= 0 || count > bytes.length - at) throw new DOMException('no room', 'QuotaExceededError')
    at += count
  }
}
