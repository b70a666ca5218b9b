/** The first part has to contain SQLite's header. */
const INITIAL_BYTES = 4096

/** Returns a function that reads the content of a gzip file part by part, and undefined at the end. */
export function unzipParts(file: Blob): () => Promise<Uint8Array | undefined> {
  const stream = file
    .stream()
    .pipeThrough(new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>)
  const reader = stream.getReader()
  let isFirst = true
  const next = async (): Promise<Uint8Array | undefined> => (await reader.read()).value
  return async () => {
    if (!isFirst) return next()
    isFirst = false
    const parts: Uint8Array[] = []
    let length = 0
    for (let part = await next(); part; part = length < INITIAL_BYTES ? await next() : undefined) {
      parts.push(part)
      length += part.length
    }
    return concatBytes(parts, length)
  }
}

export function concatBytes(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only) return only
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
