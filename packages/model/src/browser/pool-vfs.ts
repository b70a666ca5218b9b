import type { SyncAccessHandle } from './opfs.js'
import type { Pool } from './pool.js'
import { CONTENT_OFFSET } from './pool-header.js'
import { writeAll } from './reserve.js'
import { OK, type Pointer, type Sqlite3 } from './sqlite3.js'
import type { CalledFunction } from './wasm-functions.js'

const BUSY = 5
const IOERR = 10
const NOTFOUND = 12
const CANTOPEN = 14
const SHORT_READ = IOERR | (2 << 8)
const DELETE_FAILED = IOERR | (10 << 8)
const OPEN_DELETED_ON_CLOSE = 0x08
const OPEN_CREATE = 0x04
const OPEN_EXCLUSIVE = 0x10
const UNDELETABLE_WHEN_OPEN = 0x800
const SECTOR_BYTES = 4096
const MAX_PATH_BYTES = 512
const UNLOCKED = 0
const SHARED = 1
const RESERVED = 2
const PENDING = 3
const EXCLUSIVE = 4
/** Milliseconds between the Julian epoch and 1970. */
const JULIAN_EPOCH_MS = 210_866_760_000_000
const POINTER_BYTES = 4
/** Offset of `xRandomness` in `sqlite3_vfs`, in pointers. */
const X_RANDOMNESS = 14

interface OpenFile {
  readonly path: string
  readonly flags: number
  readonly file: SyncAccessHandle
  lock: number
}

/** Locks of one path. File handles are exclusive to the worker, which may have several connections. */
interface PathLock {
  shared: number
  lock: number
}

/**
 * Registers a pool as a VFS of SQLite. Call the result to unregister it.
 *
 * SQLite calls these functions with pointers into its memory. A file of the pool is a file of the origin whose first 4096 bytes name the database file
 * that it contains; the content follows, so every offset is shifted by `CONTENT_OFFSET`. A function never throws, which would break SQLite's state: it
 * records the error and returns a result code. A read beyond the end fills the rest with zeros and returns `SHORT_READ`, as SQLite requires.
 *
 * Only this worker has the files open, so locks are counters in memory. Example: connection A reads `user.sqlite` (SHARED) while B wants to write: B
 * gets RESERVED, then PENDING, which admits no new readers, and EXCLUSIVE once A has unlocked.
 */
export function registerPool(sqlite3: Sqlite3, name: string, pool: Pool): () => void {
  const { wasm, failed } = sqlite3
  const { exports, heap8u } = wasm
  const files = new Map<Pointer, OpenFile>()
  const locks = new Map<string, PathLock>()
  const view = (): DataView => new DataView(heap8u().buffer)
  const poke = (to: Pointer, value: number): void => view().setInt32(to, value, true)
  const fileOf = (file: Pointer): OpenFile => files.get(file) as OpenFile
  /** Returns the result of `run`; if it throws, records the error and returns `code`. */
  const orFail = (code: number, run: () => number): number => {
    try {
      return run()
    } catch (error) {
      failed(error)
      return code
    }
  }
  const unlock = (one: OpenFile, to: number): void => {
    if (one.lock <= to) return
    const lock = locks.get(one.path) as PathLock
    if (one.lock > SHARED) lock.lock = SHARED
    if (to === UNLOCKED && --lock.shared === 0) locks.delete(one.path)
    one.lock = to
  }
  const methods: readonly CalledFunction[] = [
    [
      'i',
      function close(at: Pointer) {
        return orFail(IOERR, () => {
          const one = files.get(at)
          if (!one) return OK
          unlock(one, UNLOCKED)
          files.delete(at)
          one.file.flush()
          if (one.flags & OPEN_DELETED_ON_CLOSE) pool.unlink(one.path)
          return OK
        })
      },
    ],
    [
      'iiij',
      function read(at: Pointer, to: Pointer, bytes: number, from: bigint) {
        return orFail(IOERR, () => {
          const into = heap8u().subarray(to, to + bytes)
          const read = fileOf(at).file.read(into, { at: CONTENT_OFFSET + Number(from) })
          if (read >= bytes) return OK
          into.fill(0, read)
          return SHORT_READ
        })
      },
    ],
    [
      'iiij',
      function write(at: Pointer, from: Pointer, bytes: number, to: bigint) {
        return orFail(IOERR, () => {
          writeAll(fileOf(at).file, heap8u().subarray(from, from + bytes), CONTENT_OFFSET + Number(to))
          return OK
        })
      },
    ],
    [
      'ij',
      function truncate(at: Pointer, bytes: bigint) {
        return orFail(IOERR, () => {
          fileOf(at).file.truncate(CONTENT_OFFSET + Number(bytes))
          return OK
        })
      },
    ],
    [
      'ii',
      function sync(at: Pointer, _flags: number) {
        return orFail(IOERR, () => {
          fileOf(at).file.flush()
          return OK
        })
      },
    ],
    [
      'ii',
      function size(at: Pointer, to: Pointer) {
        return orFail(IOERR, () => {
          view().setBigInt64(to, BigInt(fileOf(at).file.getSize() - CONTENT_OFFSET), true)
          return OK
        })
      },
    ],
    [
      'ii',
      function lock(at: Pointer, to: number) {
        const one = fileOf(at)
        if (one.lock >= to) return OK
        const lock = locks.get(one.path) ?? { shared: 0, lock: UNLOCKED }
        locks.set(one.path, lock)
        if (one.lock !== lock.lock && (lock.lock >= PENDING || to > SHARED)) return BUSY
        if (to === SHARED) {
          lock.shared++
          if (lock.lock === UNLOCKED) lock.lock = to
        } else if (to === EXCLUSIVE && lock.shared > 1) {
          if (one.lock === RESERVED) one.lock = lock.lock = PENDING
          return BUSY
        } else lock.lock = to
        one.lock = to
        return OK
      },
    ],
    [
      'ii',
      function unlockTo(at: Pointer, to: number) {
        unlock(fileOf(at), to)
        return OK
      },
    ],
    [
      'ii',
      function isReserved(at: Pointer, to: Pointer) {
        poke(to, Number((locks.get(fileOf(at).path)?.lock ?? UNLOCKED) > SHARED))
        return OK
      },
    ],
    ['iii', () => NOTFOUND],
    ['i', () => SECTOR_BYTES],
    ['i', () => UNDELETABLE_WHEN_OPEN],
  ]
  const operations: readonly CalledFunction[] = [
    [
      'iiiii',
      function open(_: Pointer, path: Pointer, at: Pointer, flags: number, to: Pointer) {
        return orFail(CANTOPEN, () => {
          const own = path === 0 ? '' : wasm.text(path)
          const name = own === '' ? `/${crypto.randomUUID()}` : own
          const there = pool.get(name)
          if (there && flags & OPEN_CREATE && flags & OPEN_EXCLUSIVE)
            throw new Error(`expected no file ${name}, got one`)
          if (!there && !(flags & OPEN_CREATE)) throw new Error(`expected a file ${name}, got none`)
          files.set(at, { path: name, flags, file: there ?? pool.add(name, flags), lock: UNLOCKED })
          poke(at, io)
          if (to !== 0) poke(to, flags)
          return OK
        })
      },
    ],
    [
      'iii',
      function remove(_: Pointer, path: Pointer, _directory: number) {
        return orFail(DELETE_FAILED, () => {
          pool.unlink(wasm.text(path))
          return OK
        })
      },
    ],
    [
      'iiii',
      function access(_: Pointer, path: Pointer, _flags: number, to: Pointer) {
        poke(to, Number(pool.has(wasm.text(path))))
        return OK
      },
    ],
    [
      'iiii',
      function fullPath(_: Pointer, path: Pointer, room: number, to: Pointer) {
        const end = heap8u().indexOf(0, path) + 1
        if (end - path > room) return CANTOPEN
        heap8u().copyWithin(to, path, end)
        return OK
      },
    ],
    ['ii', () => OK],
    [
      'ii',
      function now(_: Pointer, to: Pointer) {
        view().setBigInt64(to, BigInt(JULIAN_EPOCH_MS + Date.now()), true)
        return OK
      },
    ],
  ]
  const pointers = wasm.place([...methods, ...operations])
  const [open, remove, access, fullPath, sleep, now] = pointers.slice(methods.length) as [number, ...number[]]
  const record = (...values: readonly (number | undefined)[]): Pointer => {
    const at = wasm.alloc(values.length * POINTER_BYTES)
    for (const [index, value = 0] of values.entries()) poke(at + index * POINTER_BYTES, value)
    return at
  }
  const io = record(1, ...pointers.slice(0, methods.length))
  const text = wasm.allocText(name)
  const randomness = view().getInt32(exports.sqlite3_vfs_find(0) + X_RANDOMNESS * POINTER_BYTES, true)
  const vfs = record(
    2,
    POINTER_BYTES,
    MAX_PATH_BYTES,
    0,
    text,
    0,
    open,
    remove,
    access,
    fullPath,
    0,
    0,
    0,
    0,
    randomness,
    sleep,
    0,
    0,
    now,
  )
  exports.sqlite3_vfs_register(vfs, 0)
  return () => void exports.sqlite3_vfs_unregister(vfs)
}
