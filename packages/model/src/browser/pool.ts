import type { OpfsFolder, SyncAccessHandle } from './opfs.js'
import { CONTENT, readPath, writePath } from './pool-header.js'
import { writeAll } from './reserve.js'

const MAIN_DATABASE = 0x100
/** What every database begins with. */
const MAGIC = 'SQLite format 3'
/** In its header: which kinds of journals it is read and written with. 1: no log. */
const VERSIONS = 18
const SMALLEST = 512

/** Files of the origin that are opened once and stay open, as SQLite's synchronous calls need them. */
export interface Pool {
  getCapacity(): number
  getFileNames(): string[]
  has(path: string): boolean
  /** The file of a path. Undefined: there is none. */
  get(path: string): SyncAccessHandle | undefined
  /** Gives a free file a path. Throws where there is none. */
  add(path: string, flags: number): SyncAccessHandle
  reserveMinimumCapacity(files: number): Promise<void>
  unlink(path: string): boolean
  /** Writes a file from parts; an undefined part ends it. `next` is given the file. */
  importDb(path: string, next: (file: SyncAccessHandle) => Promise<Uint8Array | undefined>): Promise<void>
  /** Closes every file; SQLite has to have closed its own before. */
  close(): void
}

/** Opens the files of a pool; `asked`: called when the browser was asked for all of them. Rejects while another worker has one, and holds none then. */
export async function openPool(folder: OpfsFolder, asked: () => void): Promise<Pool> {
  const opening: Promise<SyncAccessHandle>[] = []
  for await (const entry of folder.values()) if (entry.kind === 'file') opening.push(entry.createSyncAccessHandle())
  asked()
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
      // No other path gets it meanwhile.
      free.delete(file)
      file.truncate(0)
      try {
        let bytes = 0
        for (let part = await nextPart(file); part; part = await nextPart(file)) {
          writeAll(file, part, CONTENT + bytes)
          bytes += part.length
        }
        checkDatabase(file, bytes)
        writeAll(file, new Uint8Array([1, 1]), CONTENT + VERSIONS)
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
  file.read(start, { at: CONTENT })
  if (bytes < SMALLEST || bytes % SMALLEST !== 0 || new TextDecoder().decode(start) !== MAGIC)
    throw new Error(`expected an SQLite database, got ${bytes} bytes of something else`)
}
