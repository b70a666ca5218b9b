import type { BlobName } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { pairOf, pairRange, pairText } from './names.js'
import { noteBlobIndexedScript } from './scripts/blobs.js'

/** How many names are read at a time. */
const PAGE_SIZE = 500

const nameOf = ({ scope, name }: BlobName): string => pairText(scope, name)

/** The index is on another server than most blobs: it is entered once the blob is there, and the blob notes that it was. */
export async function enterBlobs(connection: RedisConnection, blob: BlobName): Promise<void> {
  await connection.command(connection.keys.index('blobs'), 'ZADD', 0, nameOf(blob))
  await connection.run(noteBlobIndexedScript, connection.keys.blob(blob))
}

/** Removes the name after a removal, unless the blob exists again: a new blob is entered before this check or after it. */
export async function leaveBlobs(connection: RedisConnection, blob: BlobName): Promise<void> {
  await connection.command(connection.keys.index('blobs'), 'ZREM', nameOf(blob))
  const exists = await connection.command(connection.keys.blob(blob)('facts'), 'EXISTS')
  if (exists === 1) await enterBlobs(connection, blob)
}

interface BlobNamesPage {
  readonly scope?: string
  readonly after?: BlobName | undefined
}

/** In order of scope and name, a page at a time: of one scope, or of all after a blob. */
export async function* blobsOf(
  connection: RedisConnection,
  { scope, after }: BlobNamesPage,
): AsyncGenerator<readonly BlobName[]> {
  const { min, max } = pairRange(scope)
  for (let from = after ? `(${nameOf(after)}` : min; ; ) {
    const range = [from, max, 'LIMIT', 0, PAGE_SIZE]
    const names = (await connection.command(connection.keys.index('blobs'), 'ZRANGEBYLEX', ...range)) as string[]
    yield names.map(text => {
      const [found, name] = pairOf(text)
      return { scope: found, name }
    })
    if (names.length < PAGE_SIZE) return
    from = `(${names.at(-1)}`
  }
}
