import { SyncError } from '@godwit/protocol'
import type { OpfsFolder, SyncAccessHandle } from './opfs.js'
import { retryWhileLocked } from './retry-while-locked.js'

const MEBIBYTE = 1024 * 1024
/** Bytes reserved on disk so that a full device can still send: sending writes first. */
const RESERVE_BYTES = 8 * MEBIBYTE
/** Free bytes, beside the reserve, that a full device needs before it accepts writes again. */
const MIN_FREE_BYTES = 8 * MEBIBYTE
/** Minimum milliseconds for which a device stays full: the refused write may have been larger than the free space. */
const MIN_FULL_MS = 10_000

/** Disk space that is released when the disk is full. */
export interface Reserve {
  readonly isFull: boolean
  /** Call it after a failed write. Returns true, and releases the reserve, if the disk is full. */
  isCause(error: unknown): boolean
  /** Takes the reserve again if there is room. Resolves to true while there is none. */
  look(): Promise<boolean>
  close(): void
}

/** The reserve of a device without files. */
export const NO_RESERVE: Reserve = { isFull: false, isCause: () => false, look: async () => false, close() {} }

/** Opens the reserve of a device in its folder. `changed` is called whenever it is released or taken again. */
export async function openReserve(folder: OpfsFolder, changed: () => void): Promise<Reserve> {
  const file = await folder.getFileHandle('reserve', { create: true })
  const first = await retryWhileLocked(() => file.createSyncAccessHandle())
  let handle: SyncAccessHandle | undefined = first
  let looking: Promise<void> | undefined
  let isClosed = false
  let since = 0
  // A browser counts the largest size of an open file, so space is released by closing it.
  const giveBack = (open: SyncAccessHandle): void => {
    handle = undefined
    since = performance.now()
    open.truncate(0)
    open.close()
  }
  const take = async (): Promise<void> => {
    const opened = await retryWhileLocked(() => file.createSyncAccessHandle())
    handle = opened
    const hasRoom = !isClosed && resize(opened, RESERVE_BYTES + MIN_FREE_BYTES) && resize(opened, RESERVE_BYTES)
    if (!hasRoom) return giveBack(opened)
    changed()
  }
  if (!resize(first, RESERVE_BYTES)) giveBack(first)
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
      if (handle === undefined && !isClosed && performance.now() - since >= MIN_FULL_MS) {
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

/** Resizes a file and returns whether that worked: private windows of some browsers do not throw on a full disk. */
function resize(handle: SyncAccessHandle, bytes: number): boolean {
  try {
    if (handle.getSize() !== bytes) handle.truncate(bytes)
    return handle.getSize() === bytes
  } catch (error) {
    if (isQuota(error)) return false
    throw error
  }
}

/** Error names that mean a full disk. Firefox has separate ones for a file that cannot grow. */
const FULL_NAMES = ['QuotaExceededError', 'NS_ERROR_FILE_NO_DEVICE_SPACE', 'NS_ERROR_FILE_DISK_FULL']

/** True for an error of a full disk. SQLite's file errors may lack the name, as in private windows. */
function isQuota(error: unknown): boolean {
  const { name = '', message } = (error ?? {}) as Partial<Error>
  return FULL_NAMES.includes(name) || message === 'Unknown write() failure.'
}

/** The error of a write that did not fit on the device. */
export const storageFull = (cause?: unknown): SyncError =>
  new SyncError(
    'storage_full',
    'The storage of this device is full, and nothing was stored. Free some space. Waiting changes are still sent.',
    { cause },
  )

/** Writes all of the bytes. Throws `QuotaExceededError` on a full disk, where private windows of some browsers return an impossible count instead. */
export function writeAll(handle: SyncAccessHandle, bytes: Uint8Array, from: number): void {
  for (let at = 0; at < bytes.length; ) {
    const count = handle.write(bytes.subarray(at), { at: from + at })
    if (count <= 0 || count > bytes.length - at) throw new DOMException('no room', 'QuotaExceededError')
    at += count
  }
}
