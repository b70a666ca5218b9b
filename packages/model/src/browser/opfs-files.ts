import type { DeviceFiles, FileFacts } from '../platform/device-files.js'
import { Sha256 } from '../platform/sha256.js'
import { folderOf, type OpfsFile, type OpfsFolder, openFolder, type SyncAccessHandle } from './opfs.js'
import type { Pool } from './pool.js'
import { type Reserve, storageFull, writeAll } from './reserve.js'
import { retryWhileLocked } from './retry-while-locked.js'
import { pathInPool } from './sahpool-drive.js'
import { unzipParts } from './unzipped.js'
import { truncateInSteps, yieldingReader } from './yielding-reader.js'

const FOLDERS = ['blobs', 'bulk'] as const
/** The inner folder has the name and layout of SQLite's `opfs-sahpool`. */
const DATABASE = 'database/.opaque'
const SCHEME = 'opfs:'

interface FileEntry {
  size: number
  /** Milliseconds since 1970. */
  at: number
}

/** The files of a device in a browser, which also stores blobs that pages pass. */
export interface BrowserFiles extends DeviceFiles {
  /** Copies a blob into a folder, completely or not at all. Returns its SHA-256, which is the file's name. */
  copy(blob: Blob, folder: string): Promise<string>
  /** Returns a stored file for pages; undefined if there is none. */
  blob(name: string): Promise<Blob | undefined>
}

/** The folders of a device. */
export interface DeviceFolders {
  readonly device: OpfsFolder
  /** The folder of its databases. */
  readonly database: OpfsFolder
  /** The folders of other files, by name. */
  readonly files: ReadonlyMap<string, OpfsFolder>
}

/** Opens the folders of a device. */
export async function openFolders(name: string): Promise<DeviceFolders> {
  const device = await openFolder(folderOf(name))
  const open = async (name: string) => [name, await device.getDirectoryHandle(name, { create: true })] as const
  const [database, files] = await Promise.all([openFolder(DATABASE, device), Promise.all(FOLDERS.map(open))])
  return { device, database, files: new Map(files) }
}

/** Lists the files in the folders of a device, by name. */
export async function knownFiles({ files: folders }: DeviceFolders): Promise<Map<string, FileEntry>> {
  const known = new Map<string, FileEntry>()
  const look = async (name: string, file: OpfsFile): Promise<void> => {
    const { size, lastModified } = await file.getFile()
    known.set(`${name}/${file.name}`, { size, at: lastModified })
  }
  const looking: Promise<void>[] = []
  for (const [name, folder] of folders)
    for await (const entry of folder.values()) if (entry.kind === 'file') looking.push(look(name, entry))
  await Promise.all(looking)
  return known
}

/** The files beside a device's databases. */
export const opfsFiles = (
  { files: folders }: DeviceFolders,
  place: Pick<FileTable, 'known' | 'pool' | 'isCause'>,
): BrowserFiles => filesIn({ ...place, folders, open: new Map(), unpacked: new Map() })

interface FileTable {
  readonly folders: ReadonlyMap<string, OpfsFolder>
  /** The known files, so that questions about them are answered synchronously. */
  readonly known: Map<string, FileEntry>
  /** Files that are being written. */
  readonly open: Map<string, Promise<SyncAccessHandle>>
  readonly pool: Pool
  /** Unzipped files in the pool. */
  readonly unpacked: Map<string, SyncAccessHandle>
  /** True if a write failed because the disk is full. */
  readonly isCause: Reserve['isCause']
}

function filesIn(place: FileTable): BrowserFiles {
  const { known, pool, unpacked } = place
  const files: BrowserFiles = {
    path: name => SCHEME + name,
    nameOf: path => (path.startsWith(SCHEME) ? path.slice(SCHEME.length) : undefined),
    size: name => known.get(name)?.size,
    async read(name, offset, length) {
      await closeHandle(place, name)
      const file = await (await fileOf(place, name)).getFile()
      return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer())
    },
    async append(name, bytes) {
      const handle = await openHandle(place, name)
      const size = handle.getSize()
      await withStorageFull(place, () => writeAll(handle, bytes, size))
      known.set(name, { size: size + bytes.length, at: Date.now() })
    },
    async finish(name, as) {
      await closeHandle(place, name)
      await rename(place, name, as)
      const facts = known.get(name)
      known.delete(name)
      if (facts) known.set(as, { ...facts, at: Date.now() })
    },
    async remove(name) {
      known.delete(name)
      const path = pathInPool(name)
      const file = unpacked.get(name)
      // A file that lost its name is free and may already be another one.
      if (file) await truncateInSteps(file, () => pool.getFileNames().includes(path))
      unpacked.delete(name)
      pool.unlink(path)
      await closeHandle(place, name)
      if (!known.has(name)) await removeFile(place, name)
    },
    list(folder) {
      const now = Date.now()
      const beside = [...known].map(([name, { at }]): FileFacts => ({ name, age: now - at }))
      const pooled = pool.getFileNames().map((path): FileFacts => ({ name: path.slice(1), age: 0 }))
      return [...beside, ...pooled].filter(({ name }) => name.startsWith(`${folder}/`))
    },
    // Pages pass blobs to `copy` instead of paths.
    take: () => undefined,
    async unzip(name, as) {
      await closeHandle(place, name)
      const next = yieldingReader(unzipParts(await (await fileOf(place, name)).getFile()))
      unpacked.delete(as)
      let file: SyncAccessHandle | undefined
      const part = (given: SyncAccessHandle) => {
        file = given
        return next(given)
      }
      await withStorageFull(place, () => pool.importDb(pathInPool(as), part))
      if (file) unpacked.set(as, file)
    },
    newHash: () => new Sha256(),
    async copy(blob, folder) {
      const copy = `${folder}/${crypto.randomUUID()}.copy`
      const hash = new Sha256()
      try {
        const reader = blob.stream().getReader()
        await files.append(copy, new Uint8Array())
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          hash.update(part.value)
          await files.append(copy, part.value)
        }
        const name = `${folder}/${hash.digest()}`
        if (known.has(name)) known.set(name, { size: blob.size, at: Date.now() })
        else await files.finish(copy, name)
        return name.slice(folder.length + 1)
      } finally {
        if (known.has(copy)) await files.remove(copy)
      }
    },
    async blob(name) {
      if (!known.has(name)) return undefined
      await closeHandle(place, name)
      return (await fileOf(place, name)).getFile()
    },
  }
  return files
}

/** Runs a function that writes. Rejects with `storage_full` if the disk is full. */
async function withStorageFull<T>({ isCause }: FileTable, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    throw isCause(cause) ? storageFull(cause) : cause
  }
}

const partsOf = (name: string): readonly [folder: string, file: string] => {
  const at = name.indexOf('/')
  return [name.slice(0, at), name.slice(at + 1)]
}

function fileOf({ folders }: FileTable, name: string, create = false): Promise<OpfsFile> {
  const [folder, file] = partsOf(name)
  const there = folders.get(folder)
  if (there) return there.getFileHandle(file, { create })
  throw new TypeError(`expected a file in ${FOLDERS.join(' or ')}, got ${name}`)
}

/** Returns the only handle of a file being written: the origin allows no second one. */
function openHandle(place: FileTable, name: string): Promise<SyncAccessHandle> {
  const known = place.open.get(name)
  if (known) return known
  const handle = fileOf(place, name, true).then(handleOf)
  place.open.set(name, handle)
  // The next write opens the file again.
  handle.catch(() => {
    if (place.open.get(name) === handle) place.open.delete(name)
  })
  return handle
}

const handleOf = (file: OpfsFile): Promise<SyncAccessHandle> => retryWhileLocked(() => file.createSyncAccessHandle())

/** Flushes and closes a file, so that others can read it. */
async function closeHandle({ open }: FileTable, name: string): Promise<void> {
  const opening = open.get(name)
  if (!opening) return
  open.delete(name)
  const handle = await opening
  handle.flush()
  handle.close()
}

async function rename(place: FileTable, from: string, to: string): Promise<void> {
  const file = await fileOf(place, from)
  const [, name] = partsOf(to)
  await removeFile(place, to)
  if (file.move) return retryWhileLocked(async () => file.move?.(name))
  const [source, target] = [await file.getFile(), await handleOf(await fileOf(place, to, true))]
  writeAll(target, new Uint8Array(await source.arrayBuffer()), 0)
  target.flush()
  target.close()
  await removeFile(place, from)
}

async function removeFile({ folders }: FileTable, name: string): Promise<void> {
  const [folder, file] = partsOf(name)
  try {
    await retryWhileLocked(async () => folders.get(folder)?.removeEntry(file))
  } catch (error) {
    if ((error as { name?: unknown }).name !== 'NotFoundError') throw error
  }
}
