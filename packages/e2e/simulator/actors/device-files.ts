import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { openSdkOn } from '@godwit/model/driver'

type DeviceFiles = NonNullable<NonNullable<Parameters<typeof openSdkOn>[2]>['files']>

interface StoredFile {
  readonly bytes: Uint8Array
  readonly at: number
}

/** The files of a device besides its databases; they survive its processes. */
export class StoredFiles {
  readonly #kept = new Map<string, StoredFile>()
  /** Files of the app outside the device's folder, by path. */
  readonly #camera = new Map<string, Uint8Array>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Creates a photo file of the app and returns its path. */
  takePhoto(bytes: Uint8Array): string {
    const path = `/camera/${this.#camera.size + 1}.jpg`
    this.#camera.set(path, bytes)
    return path
  }

  bytesOf(name: string): Uint8Array | undefined {
    return this.#kept.get(name)?.bytes
  }

  names(): readonly string[] {
    return [...this.#kept.keys()]
  }

  remove(name: string): void {
    this.#kept.delete(name)
  }

  /** Returns the files for one process. `strike` is called before and after each write, and throws if the process is dead. */
  seenBy(strike: (edge: 'before' | 'after') => void): DeviceFiles {
    const done = <Result>(run: () => Result): Result => {
      strike('before')
      const result = run()
      strike('after')
      return result
    }
    const put = (name: string, bytes: Uint8Array): void =>
      void this.#kept.set(name, { bytes: Uint8Array.from(bytes), at: this.#now() })
    const take = (content: string | Uint8Array, folder: string): string | undefined => {
      const bytes = typeof content === 'string' ? this.#camera.get(content) : content
      if (bytes === undefined) return undefined
      const hash = hashOf(bytes)
      put(`${folder}/${hash}`, bytes)
      return hash
    }
    return {
      path: name => `/device/${name}`,
      nameOf: path => (path.startsWith('/device/') ? path.slice('/device/'.length) : undefined),
      size: name => this.#kept.get(name)?.bytes.length,
      read: (name, offset, length) => this.#bytes(name).slice(offset, offset + length),
      append: (name, bytes) => done(() => put(name, Buffer.concat([this.bytesOf(name) ?? new Uint8Array(), bytes]))),
      finish: (name, as) =>
        done(() => {
          put(as, this.#bytes(name))
          this.#kept.delete(name)
        }),
      remove: name => done(() => this.remove(name)),
      list: folder =>
        [...this.#kept].flatMap(([name, { at }]) =>
          name.startsWith(`${folder}/`) ? [{ name, age: this.#now() - at }] : [],
        ),
      take: (content, folder) => done(() => take(content, folder)),
      unzip: async (name, as) => done(() => put(as, gunzipSync(this.#bytes(name)))),
      newHash() {
        const hash = createHash('sha256')
        return { update: bytes => void hash.update(bytes), digest: () => hash.digest('hex') }
      },
    }
  }

  #bytes(name: string): Uint8Array {
    const kept = this.#kept.get(name)
    if (kept) return kept.bytes
    throw new Error(`ENOENT: there is no file ${name}`)
  }
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
