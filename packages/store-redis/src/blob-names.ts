import type { BlobName } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { pairOf, pairRange, pairText } from './names.js'
import { recordBlobIndexedScript } from './scripts/blobs.js'

/** How many names one command reads. */
const PAGE_SIZE = 500

const nameOf = ({ scope, name }: BlobName): string => pairText(scope, name)

/**
 * Adds a blob to the index, which may be on another server than the blob. This happens after the blob is stored; the blob then records that it is
 * indexed.
 */
export async function enterBlobs(connection: RedisConnection, blob: BlobName): Promise<void> {
  await connection.command(connection.keys.index('blobs'), 'ZADD', 0, nameOf(blob))
  await connection.run(recordBlobIndexedScript, connection.keys.blob(blob))
}

/**
 * Removes a blob from the index after its removal. If the blob exists again it is added back, since it may have been added before the name was
 * removed.
 */
export async function leaveBlobs(connection: RedisConnection, blob: BlobName): Promise<void> {
  await connection.command(connection.keys.index('blobs'), 'ZREM', nameOf(blob))
  const exists = await connection.command(connection.keys.blob(blob)('facts'), 'EXISTS')
  if (exists === 1) await enterBlobs(connection, blob)
}

interface BlobNamesPage {
  readonly scope?: string
  readonly after?: BlobName | undefined
}

/** Yields the blobs of one scope, or all after a given blob, in pages ordered by scope and name. */
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
