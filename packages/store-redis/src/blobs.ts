import type { BlobFacts, BlobName, BlobPart, Blobs } from '@godwit/store'
import { blobsOf, enterBlobs, leaveBlobs } from './blob-names.js'
import type { Connection } from './connection.js'
import type { Reply } from './redis-handle.js'
import {
  appendBytesScript,
  CHUNK,
  completeBlobScript,
  findBlobScript,
  holdBlobScript,
  holdersScript,
  releaseBlobScript,
  removeBlobScript,
  touchBlobScript,
} from './scripts/blobs.js'

export function redisBlobs(connection: Connection): Blobs {
  const of = (blob: BlobName) => connection.keys.blob(blob)
  return {
    find: async blob => factsOf(await connection.run(findBlobScript, of(blob))),
    append: (blob, part) => append(connection, blob, part),
    complete: async (blob, instance = ANY) => (await connection.run(completeBlobScript, of(blob), [instance])) === 1,
    read: (blob, range) => read(connection, blob, range),
    touch: async blob => (await connection.run(touchBlobScript, of(blob))) === 1,
    hold: async (blob, holder) => (await connection.run(holdBlobScript, of(blob), [holder.toWellFormed()])) === 1,
    release: async (blob, holder) => {
      await connection.run(releaseBlobScript, of(blob), [holder.toWellFormed()])
    },
    holders: async blob => {
      const pairs = (await connection.run(holdersScript, of(blob))) as string[]
      return pairs.flatMap((holder, index) => (index % 2 === 0 ? [{ holder, at: Number(pairs[index + 1]) }] : []))
    },
    remove: (blob, conditions) => remove(connection, blob, conditions),
    removeScope: async scope => {
      for await (const blobs of blobsOf(connection, { scope: scope.toWellFormed() }))
        await Promise.all(blobs.map(blob => remove(connection, blob)))
    },
    untouched: async ({ since, after, limit }) => {
      const found: BlobName[] = []
      for await (const blobs of blobsOf(connection, { after })) {
        const touched = await Promise.all(blobs.map(blob => connection.command(of(blob)('facts'), 'HGET', 'touched')))
        found.push(...blobs.filter((_, at) => touched[at] !== null && Number(touched[at]) <= since))
        if (found.length >= limit) break
      }
      return found.slice(0, limit)
    },
  }
}

/** Stands for every instance. */
const ANY = 'any'

type Facts = readonly [size: number, received: number, complete: number, indexed: string | null, instance: string]

function factsOf(reply: Reply): BlobFacts | undefined {
  if (reply === null) return undefined
  const [size, received, complete, , instance] = reply as unknown as Facts
  return { size, received, complete: complete === 1, instance }
}

async function append(connection: Connection, blob: BlobName, { size, offset, bytes }: BlobPart) {
  const naming = connection.keys.blob(blob)
  const chunk = Math.floor(offset / CHUNK)
  const room = (chunk + 1) * CHUNK - offset
  const keys = { facts: naming('facts'), chunk: naming(`bytes:${chunk}`), next: naming(`bytes:${chunk + 1}`) }
  const values = [
    size,
    offset,
    bytes.subarray(0, room),
    bytes.subarray(room),
    offset === 0 ? connection.randomId() : '',
  ]
  const reply = await connection.run(appendBytesScript, name => keys[name], values)
  if (reply !== null && (reply as unknown as Facts)[3] === null) await enterBlobs(connection, blob)
  return factsOf(reply)
}

async function read(
  connection: Connection,
  blob: BlobName,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Uint8Array> {
  const naming = connection.keys.blob(blob)
  const facts = factsOf(await connection.run(findBlobScript, naming))
  const end = Math.min(offset + length, facts?.received ?? 0)
  const chunks: Promise<Uint8Array>[] = []
  for (let at = offset; at < end; at = (Math.floor(at / CHUNK) + 1) * CHUNK) {
    const chunk = Math.floor(at / CHUNK)
    const range = [at - chunk * CHUNK, Math.min(end - chunk * CHUNK, CHUNK) - 1]
    chunks.push(connection.bytes(naming(`bytes:${chunk}`), 'GETRANGE', ...range))
  }
  return Buffer.concat(await Promise.all(chunks))
}

async function remove(
  connection: Connection,
  blob: BlobName,
  { untouchedSince, instance = ANY }: Parameters<Blobs['remove']>[1] = {},
): Promise<boolean> {
  const naming = connection.keys.blob(blob)
  const since = untouchedSince === Number.POSITIVE_INFINITY ? undefined : untouchedSince
  for (let reply: Reply = 'stale'; reply === 'stale'; ) {
    const facts = factsOf(await connection.run(findBlobScript, naming))
    if (facts === undefined) return false
    const count = Math.ceil(facts.size / CHUNK)
    const chunks = Array.from({ length: count }, (_, chunk) => naming(`bytes:${chunk}`))
    reply = await connection.run(removeBlobScript, naming, [since, facts.size, instance], chunks)
    if (reply === null) return false
  }
  await leaveBlobs(connection, blob)
  return true
}
