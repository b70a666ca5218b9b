import type { SyncAccessHandle } from './opfs.js'

/** Size of the header before a file's content, in bytes. */
export const CONTENT_OFFSET = 4096
const MAX_PATH_BYTES = 512
const FLAGS_OFFSET = MAX_PATH_BYTES
const DIGEST = FLAGS_OFFSET + 4
const LENGTH = DIGEST + 8
/** Flag of headers whose digest is set. */
const HAS_DIGEST = 0x80
const DELETED_ON_CLOSE = 0x08
/** Flags of files that persist: databases, their logs and journals. */
const LASTING = 0x100 | 0x800 | 0x4000 | 0x80000

const bytes = new Uint8Array(LENGTH)
const view = new DataView(bytes.buffer)

function digest(flags: number): readonly [number, number] {
  if (!(flags & HAS_DIGEST)) return [0, 0]
  let [first, second] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < DIGEST; at++) {
    first = Math.imul(first ^ (bytes[at] as number), 2654435761)
    second = Math.imul(second ^ (bytes[at] as number), 104729)
  }
  return [first >>> 0, second >>> 0]
}

/** Returns the path in a file's header, in the format of SQLite's `opfs-sahpool`; '' for a free file. */
export function readPath(file: SyncAccessHandle): string {
  bytes.fill(0)
  file.read(bytes, { at: 0 })
  const flags = view.getUint32(FLAGS_OFFSET)
  const [first, second] = digest(flags)
  const isWhole = view.getUint32(DIGEST, true) === first && view.getUint32(DIGEST + 4, true) === second
  if (bytes[0] !== 0 && isWhole && flags & LASTING && !(flags & DELETED_ON_CLOSE))
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)))
  if (bytes[0] !== 0 || !isWhole) writePath(file, '', 0)
  else empty(file)
  return ''
}

/** Sets the path of a file; '' frees it and truncates its content. Throws if the path is too long. */
export function writePath(file: SyncAccessHandle, path: string, flags: number): void {
  bytes.fill(0)
  const { read } = new TextEncoder().encodeInto(path, bytes.subarray(0, MAX_PATH_BYTES - 1))
  if (read < path.length) throw new Error(`expected a path of less than ${MAX_PATH_BYTES} bytes, got ${path}`)
  const kept = path === '' ? 0 : flags | HAS_DIGEST
  view.setUint32(FLAGS_OFFSET, kept)
  const [first, second] = digest(kept)
  view.setUint32(DIGEST, first, true)
  view.setUint32(DIGEST + 4, second, true)
  file.write(bytes, { at: 0 })
  file.flush()
  if (path === '') empty(file)
}

/** Truncates a file. An empty one is skipped, since the call may fail on a full disk. */
function empty(file: SyncAccessHandle): void {
  if (file.getSize() !== CONTENT_OFFSET) file.truncate(CONTENT_OFFSET)
}
