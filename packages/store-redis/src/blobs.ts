import type { BlobCharge, BlobFacts, BlobName, BlobPart, Blobs, LimitedCharge } from '@godwit/store'
import { beginCharge, bytesChargedTo, endCharge } from './blob-charges.js'
import { blobsOf, enterBlobs, leaveBlobs } from './blob-names.js'
import type { RedisConnection } from './connection.js'
import type { RedisReply } from './redis-handle.js'
import {
  appendBytesScript,
  CHUNK,
  chargeBlobScript,
  completeBlobScript,
  findBlobScript,
  holdBlobScript,
  holdersScript,
  releaseBlobScript,
  removeBlobScript,
  touchBlobScript,
} from './scripts/blobs.js'

export function redisBlobs(connection: RedisConnection): Blobs {
  const keysOf = (blob: BlobName) => connection.keys.blob(blob)
  return {
    find: async blob => blobFacts(await connection.run(findBlobScript, keysOf(blob))),
    append: (blob, part, charge) =>
      charge && part.offset === 0 ? begin(connection, blob, { part, charge }) : append(connection, blob, part),
    charge: (blob, charged) => moveCharge(connection, blob, charged),
    charged: account => bytesChargedTo(connection, account),
    complete: async (blob, instance = ANY) =>
      (await connection.run(completeBlobScript, keysOf(blob), [instance])) === 1,
    read: (blob, range) => read(connection, blob, range),
    touch: async blob => (await connection.run(touchBlobScript, keysOf(blob))) === 1,
    hold: async (blob, holder) => (await connection.run(holdBlobScript, keysOf(blob), [holder.toWellFormed()])) === 1,
    release: async (blob, holder) => {
      await connection.run(releaseBlobScript, keysOf(blob), [holder.toWellFormed()])
    },
    holders: async blob => {
      const pairs = (await connection.run(holdersScript, keysOf(blob))) as string[]
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
        const touched = await Promise.all(
          blobs.map(blob => connection.command(keysOf(blob)('facts'), 'HGET', 'touched')),
        )
        found.push(...blobs.filter((_, at) => touched[at] !== null && Number(touched[at]) <= since))
        if (found.length >= limit) break
      }
      return found.slice(0, limit)
    },
  }
}

/** Matches every instance. */
const ANY = 'any'

type BlobFields = readonly [
  size: number,
  received: number,
  complete: number,
  indexed: string | null,
  instance: string,
  account: string | null,
]

function blobFacts(reply: RedisReply): BlobFacts | undefined {
  if (reply === null) return undefined
  const [size, received, complete, , instance] = reply as unknown as BlobFields
  return { size, received, complete: complete === 1, instance }
}

interface BlobStart {
  readonly part: BlobPart
  readonly charge: LimitedCharge
}

/** Starts a blob. The account is charged first, so that no blob exists without a charge. */
async function begin(
  connection: RedisConnection,
  blob: BlobName,
  { part, charge }: BlobStart,
): Promise<BlobFacts | undefined> {
  if (part.bytes.length > part.size) return undefined
  const known = blobFacts(await connection.run(findBlobScript, connection.keys.blob(blob)))
  if (known !== undefined)
    return (await append(connection, blob, part, { mayBegin: false })) ?? begin(connection, blob, { part, charge })
  const charged = { scope: blob.scope, name: blob.name, instance: connection.randomId() }
  if (!(await beginCharge(connection, charged, charge))) return undefined
  const facts = await append(connection, blob, part, { instance: charged.instance, account: charge.account })
  if (facts?.instance !== charged.instance) await endCharge(connection, charged, charge.account)
  return facts
}

interface StartedBlob {
  readonly instance?: string
  /** The account to charge. */
  readonly account?: string
  readonly mayBegin?: boolean
}

async function append(
  connection: RedisConnection,
  blob: BlobName,
  { size, offset, bytes }: BlobPart,
  { instance = connection.randomId(), account, mayBegin = true }: StartedBlob = {},
): Promise<BlobFacts | undefined> {
  const naming = connection.keys.blob(blob)
  const chunk = Math.floor(offset / CHUNK)
  const room = (chunk + 1) * CHUNK - offset
  const keys = { facts: naming('facts'), chunk: naming(`bytes:${chunk}`), next: naming(`bytes:${chunk + 1}`) }
  const values = [size, offset, bytes.subarray(0, room), bytes.subarray(room), instance, accountMark(account), mayBegin]
  const reply = await connection.run(appendBytesScript, name => keys[name], values)
  if (reply !== null && (reply as unknown as BlobFields)[3] === null) await enterBlobs(connection, blob)
  return blobFacts(reply)
}

/** Prefixes an account with a letter, so that empty text can mean no account. */
const accountMark = (account: string | undefined): string => (account === undefined ? '' : `@${account.toWellFormed()}`)

async function moveCharge(
  connection: RedisConnection,
  blob: BlobName,
  charge: BlobCharge | undefined,
): Promise<boolean> {
  const naming = connection.keys.blob(blob)
  const facts = blobFacts(await connection.run(findBlobScript, naming))
  if (facts === undefined) return false
  const charged = { scope: blob.scope, name: blob.name, instance: facts.instance }
  if (charge) await beginCharge(connection, charged, charge)
  const reply = await connection.run(chargeBlobScript, naming, [facts.instance, accountMark(charge?.account)])
  const before = reply === 'gone' ? charge?.account : (reply as readonly (string | null)[])[0]
  const isOver = typeof before === 'string' && (reply === 'gone' || before !== charge?.account.toWellFormed())
  if (isOver) await endCharge(connection, charged, before)
  return reply !== 'gone'
}

async function read(
  connection: RedisConnection,
  blob: BlobName,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Uint8Array> {
  const naming = connection.keys.blob(blob)
  const facts = blobFacts(await connection.run(findBlobScript, naming))
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
  connection: RedisConnection,
  blob: BlobName,
  { untouchedSince, instance: wanted = ANY }: Parameters<Blobs['remove']>[1] = {},
): Promise<boolean> {
  const naming = connection.keys.blob(blob)
  const since = untouchedSince === Number.POSITIVE_INFINITY ? undefined : untouchedSince
  for (let reply: RedisReply = 'stale'; reply === 'stale'; ) {
    const facts = blobFacts(await connection.run(findBlobScript, naming))
    if (facts === undefined) return false
    const count = Math.ceil(facts.size / CHUNK)
    const chunks = Array.from({ length: count }, (_, chunk) => naming(`bytes:${chunk}`))
    reply = await connection.run(removeBlobScript, naming, [since, facts.size, wanted], chunks)
    if (reply === null) return false
    if (!Array.isArray(reply)) continue
    const [instance, account] = reply as readonly (string | null)[]
    if (typeof instance === 'string' && typeof account === 'string')
      await endCharge(connection, { scope: blob.scope, name: blob.name, instance }, account)
  }
  await leaveBlobs(connection, blob)
  return true
}
