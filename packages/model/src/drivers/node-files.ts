import { createHash, randomUUID } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import type { DeviceFiles, FileFacts } from '../platform/device-files.js'
import { OWN_FILE, ownFolderWithFiles } from './own-files.js'

const READ_BYTES = 1024 * 1024
/** Folders that may contain files written by an earlier version. */
const OWN_FOLDERS = ['blobs', 'bulk']

/** Returns the file storage in a device's directory. */
export function nodeFiles(directory: string): DeviceFiles {
  const root = resolve(directory)
  const path = (name: string): string => join(root, name)
  const owned = new Set<string>()
  /** Creates a folder and corrects the permissions of files from an earlier version, once per folder. */
  const own = (folder: string): void => {
    if (owned.has(folder) && existsSync(folder)) return
    ownFolderWithFiles(folder)
    owned.add(folder)
  }
  for (const folder of OWN_FOLDERS) if (existsSync(path(folder))) own(path(folder))
  return {
    path,
    nameOf(given) {
      const found = pathOf(given)
      const name = found === undefined ? '..' : relative(root, found)
      return name.startsWith('..') || isAbsolute(name) ? undefined : name.replaceAll(sep, '/')
    },
    size: name => statSync(path(name), { throwIfNoEntry: false })?.size,
    read: (name, offset, length) => withFile(path(name), 'r', file => readPart(file, offset, length)),
    append(name, bytes) {
      own(dirname(path(name)))
      appendFileSync(path(name), bytes, { mode: OWN_FILE })
    },
    finish(name, as) {
      finish(path(name), path(as))
    },
    remove: name => rmSync(path(name), { force: true }),
    list: folder => list(path(folder), folder),
    take(given, folder) {
      const from = typeof given === 'string' ? pathOf(given) : given
      own(path(folder))
      return from === undefined ? undefined : take(from, path(folder))
    },
    async unzip(name, as) {
      await pipeline(createReadStream(path(name)), createGunzip(), createWriteStream(path(as), { mode: OWN_FILE }))
    },
    newHash() {
      const hash = createHash('sha256')
      return { update: bytes => void hash.update(bytes), digest: () => hash.digest('hex') }
    },
  }
}

function pathOf(given: string): string | undefined {
  if (given === '' || given.includes('\0')) return undefined
  if (!given.startsWith('file:')) return resolve(given)
  try {
    return fileURLToPath(given)
  } catch {
    return undefined
  }
}

function withFile<T>(path: string, flags: string, use: (file: number) => T): T {
  const file = openSync(path, flags, OWN_FILE)
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}

function readPart(file: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}

/** Syncs the content to disk, renames the file, and syncs the folder. */
function finish(from: string, to: string): void {
  withFile(from, 'r+', fsyncSync)
  renameSync(from, to)
  // Not every system can sync folders; on those that cannot, the rename is durable.
  try {
    withFile(dirname(to), 'r', fsyncSync)
  } catch {}
}

function list(path: string, folder: string): readonly FileFacts[] {
  const now = Date.now()
  return entriesOf(path).flatMap(name => {
    const facts = statSync(join(path, name), { throwIfNoEntry: false })
    return facts?.isFile() ? [{ name: `${folder}/${name}`, age: now - facts.mtimeMs }] : []
  })
}

function entriesOf(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function take(from: string | Uint8Array, folder: string): string | undefined {
  if (typeof from === 'string' && !statSync(from, { throwIfNoEntry: false })?.isFile()) return undefined
  const copy = join(folder, `${randomUUID()}.copy`)
  const hash = typeof from === 'string' ? copyWithHash(from, copy) : writeWithHash(from, copy)
  const kept = join(folder, hash)
  // Marks the file as used now, so that a sweep of another process does not remove it.
  if (statSync(kept, { throwIfNoEntry: false })) {
    rmSync(copy)
    utimesSync(kept, new Date(), new Date())
  } else finish(copy, kept)
  return hash
}

function copyWithHash(from: string, to: string): string {
  const hash = createHash('sha256')
  withFile(from, 'r', source =>
    withFile(to, 'w', target => {
      for (let at = 0; ; ) {
        const bytes = readPart(source, at, READ_BYTES)
        if (bytes.length === 0) return
        hash.update(bytes)
        writeAll(target, bytes)
        at += bytes.length
      }
    }),
  )
  return hash.digest('hex')
}

function writeWithHash(bytes: Uint8Array, to: string): string {
  withFile(to, 'w', target => writeAll(target, bytes))
  return createHash('sha256').update(bytes).digest('hex')
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}
