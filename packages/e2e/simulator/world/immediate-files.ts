import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform, Writable } from 'node:stream'
import { gzipSync, type ZlibOptions } from 'node:zlib'

export { constants } from 'node:zlib'

/** Replaces Node's `fs` and `zlib` for bulk files by synchronous code, because threads would make histories nondeterministic. */
const folder = join(tmpdir(), `godwit-simulator-${process.pid}`)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

let count = 0

/** Creates a folder, which is removed when this process exits. */
export async function mkdtemp(): Promise<string> {
  const made = newPath()
  mkdirSync(made)
  return made
}

/** Lists no files, so that the server finds no leftovers of other processes to remove. */
export const readdir = async (): Promise<readonly string[]> => []

/** Returns an unused path for a file or folder. */
export function newPath(): string {
  mkdirSync(folder, { recursive: true })
  return join(folder, String(++count))
}

export const rm = async (path: string): Promise<void> => rmSync(path, { recursive: true, force: true })

export const stat = async (path: string): Promise<{ readonly size: number }> => statSync(path)

export const createReadStream = (path: string, { start = 0 }: { readonly start?: number } = {}): Readable =>
  Readable.from([readFileSync(path).subarray(start)])

export function createWriteStream(path: string): Writable {
  const parts: Buffer[] = []
  return new Writable({
    write(part: Buffer, _, done) {
      parts.push(part)
      done()
    },
    final(done) {
      writeFileSync(path, Buffer.concat(parts))
      done()
    },
  })
}

export function createGzip(options: ZlibOptions): Transform {
  const parts: Buffer[] = []
  return new Transform({
    transform(part: Buffer, _, done) {
      parts.push(part)
      done()
    },
    flush(done) {
      done(null, gzipSync(Buffer.concat(parts), options))
    },
  })
}
