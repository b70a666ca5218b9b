import type { OpfsFolder, SyncAccessHandle } from './opfs.js'
import { CONTENT_OFFSET, readPath, writePath } from './pool-header.js'
import { writeAll } from './reserve.js'

const MAIN_DATABASE = 0x100
/** The first bytes of every database. */
const MAGIC = 'SQLite format 3'
/** Offset in the header of the journal mode for reading and writing; 1 means no WAL. */
const VERSIONS_OFFSET = 18
const MIN_PAGE_BYTES = 512

/** Files that are opened once and stay open, because SQLite's calls are synchronous. */
export interface Pool {
  getCapacity(): number
  getFileNames(): string[]
  has(path: string): boolean
  /** Returns the file of a path; undefined if there is none. */
  get(path: string): SyncAccessHandle | undefined
  /** Assigns a path to a free file. Throws if there is none. */
  add(path: string, flags: number): SyncAccessHandle
  reserveMinimumCapacity(files: number): Promise<void>
  unlink(path: string): boolean
  /** Writes a file from parts until `next` returns undefined. `next` receives the file. */
  importDb(path: string, next: (file: SyncAccessHandle) => Promise<Uint8Array | undefined>): Promise<void>
  /** Closes every file. SQLite must have closed its own before. */
  close(): void
}

/** Opens the files of a pool; `requestedAll` is called when all have been requested. Rejects, with every file closed, if another worker has one of them. */
export async function openPool(folder: OpfsFolder, requestedAll: () => void): Promise<Pool> {
  const opening: Promise<SyncAccessHandle>[] = []
  for await (const entry of folder.values()) if (entry.kind === 'file') opening.push(entry.createSyncAccessHandle())
  requestedAll()
  const settled = await Promise.allSettled(opening)
  const files = settled.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
  try {
    for (const one of settled) if (one.status === 'rejected') throw one.reason
    return poolOf(folder, files)
  } catch (error) {
    for (const file of files) file.close()
    throw error
  }
}

function poolOf(folder: OpfsFolder, files: readonly SyncAccessHandle[]): Pool {
  const all = new Set(files)
  const named = new Map<string, SyncAccessHandle>()
  const free = new Set<SyncAccessHandle>()
  for (const file of files) {
    const path = readPath(file)
    if (path === '') free.add(file)
    else named.set(path, file)
  }
  const release = (file: SyncAccessHandle): void => {
    writePath(file, '', 0)
    free.add(file)
  }
  const name = (file: SyncAccessHandle, path: string, flags: number): void => {
    writePath(file, path, flags)
    named.set(path, file)
    free.delete(file)
  }
  const next = (path: string): SyncAccessHandle => {
    const [file] = free
    if (file) return file
    throw new Error(`expected a free file in the pool for ${path}, got none`)
  }
  return {
    getCapacity: () => all.size,
    getFileNames: () => [...named.keys()],
    has: path => named.has(path),
    get: path => named.get(path),
    add(path, flags) {
      const file = next(path)
      name(file, path, flags)
      return file
    },
    async reserveMinimumCapacity(wanted) {
      while (all.size < wanted) {
        const entry = await folder.getFileHandle(Math.random().toString(36).slice(2), { create: true })
        const file = await entry.createSyncAccessHandle()
        all.add(file)
        release(file)
      }
    },
    unlink(path) {
      const file = named.get(path)
      if (file === undefined) return false
      release(file)
      named.delete(path)
      return true
    },
    async importDb(path, nextPart) {
      const file = named.get(path) ?? next(path)
      // Reserves the file, so that no other path gets it.
      free.delete(file)
      file.truncate(0)
      try {
        let bytes = 0
        for (let part = await nextPart(file); part; part = await nextPart(file)) {
          writeAll(file, part, CONTENT_OFFSET + bytes)
          bytes += part.length
        }
        checkDatabase(file, bytes)
        writeAll(file, new Uint8Array([1, 1]), CONTENT_OFFSET + VERSIONS_OFFSET)
      } catch (error) {
        named.delete(path)
        release(file)
        throw error
      }
      name(file, path, MAIN_DATABASE)
    },
    close() {
      for (const file of all) file.close()
      all.clear()
      named.clear()
      free.clear()
    },
  }
}

function checkDatabase(file: SyncAccessHandle, bytes: number): void {
  const start = new Uint8Array(MAGIC.length)
  file.read(start, { at: CONTENT_OFFSET })
  if (bytes < MIN_PAGE_BYTES || bytes % MIN_PAGE_BYTES !== 0 || new TextDecoder().decode(start) !== MAGIC)
    throw new Error(`expected an SQLite database, got ${bytes} bytes of something else`)
}
