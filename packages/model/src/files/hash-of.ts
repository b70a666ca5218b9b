import type { DeviceFiles } from './device-files.js'

const PART = 1024 * 1024

/** The bytes of a file, part by part. */
async function* partsOf(files: DeviceFiles, name: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const bytes = await files.read(name, at, PART)
    if (bytes.length === 0) return
    at += bytes.length
    yield bytes
  }
}

/** The SHA-256 of a file; others get their turn in between. */
export async function hashOf(files: DeviceFiles, name: string): Promise<string> {
  const hash = files.newHash()
  for await (const bytes of partsOf(files, name)) {
    hash.update(bytes)
    await new Promise(resolve => setTimeout(resolve))
  }
  return hash.digest()
}
