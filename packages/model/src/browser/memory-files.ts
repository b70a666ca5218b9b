import { Sha256 } from '../platform/sha256.js'
import type { BrowserFiles } from './opfs-files.js'
import { concatBytes, unzipParts } from './unzipped.js'

const SCHEME = 'memory:'

/** Files in memory, for a device without storage. */
export interface MemoryFiles extends BrowserFiles {
  content(name: string): Uint8Array | undefined
}

export function memoryFiles(): MemoryFiles {
  const files = new Map<string, { readonly bytes: Blob; readonly at: number }>()
  const whole = new Map<string, Uint8Array>()
  const put = (name: string, bytes: Blob): void => void files.set(name, { bytes, at: Date.now() })
  return {
    path: name => SCHEME + name,
    nameOf: path => (path.startsWith(SCHEME) ? path.slice(SCHEME.length) : undefined),
    size: name => files.get(name)?.bytes.size,
    async read(name, offset, length) {
      const { bytes = new Blob() } = files.get(name) ?? {}
      return new Uint8Array(await bytes.slice(offset, offset + length).arrayBuffer())
    },
    append(name, bytes) {
      const before = files.get(name)
      put(name, new Blob([...(before ? [before.bytes] : []), bytes.slice()]))
    },
    finish(name, as) {
      const file = files.get(name)
      files.delete(name)
      if (file) put(as, file.bytes)
    },
    remove(name) {
      files.delete(name)
      whole.delete(name)
    },
    list(folder) {
      const now = Date.now()
      return [...files]
        .filter(([name]) => name.startsWith(`${folder}/`))
        .map(([name, { at }]) => ({ name, age: now - at }))
    },
    take: () => undefined,
    async unzip(name, as) {
      const next = unzipParts(files.get(name)?.bytes ?? new Blob())
      const parts: Uint8Array[] = []
      let length = 0
      for (let part = await next(); part; part = await next()) {
        parts.push(part)
        length += part.length
      }
      whole.set(as, concatBytes(parts, length))
    },
    newHash: () => new Sha256(),
    async copy(blob, folder) {
      const hash = new Sha256()
      hash.update(new Uint8Array(await blob.arrayBuffer()))
      const digest = hash.digest()
      put(`${folder}/${digest}`, blob)
      return digest
    },
    blob: async name => files.get(name)?.bytes,
    content: name => whole.get(name),
  }
}
