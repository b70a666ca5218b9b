import type { BlobCharge, BlobName } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { pairOf, pairText } from './names.js'
import type { RedisReply } from './redis-handle.js'
import { findBlobScript } from './scripts/blobs.js'
import { addChargeScript, endChargeScript, TOTAL } from './scripts/charges.js'

/** One copy of a blob: when it begins again, it is another one that is charged. */
export interface ChargedBlob extends BlobName {
  readonly instance: string
}

/** A charge is noted before its blob is there, on another server. One older than this without a blob was left by a process that died. */
const ABANDONED = 60_000
/** How many old charges are checked when an account is full. */
const MAX_CHECKED = 100

/** The bytes that an account is charged with. */
export async function bytesChargedTo(connection: RedisConnection, account: string): Promise<number> {
  return Number((await connection.command(connection.keys.charges(account)('bytes'), 'HGET', TOTAL)) ?? 0)
}

/** False: the account has no room. */
export async function beginCharge(
  connection: RedisConnection,
  blob: ChargedBlob,
  charge: BlobCharge & { readonly limit?: number | undefined },
): Promise<boolean> {
  const add = () => addCharge(connection, blob, charge)
  return (await add()) || ((await endAbandoned(connection, charge.account)) && (await add()))
}

async function addCharge(
  connection: RedisConnection,
  blob: ChargedBlob,
  { account, bytes, limit }: BlobCharge & { readonly limit?: number | undefined },
): Promise<boolean> {
  const values = [nameOf(blob), bytes, limit]
  return (await connection.run(addChargeScript, connection.keys.charges(account), values)) === 1
}

/** Ends the charge of a blob to an account. One that is not charged is ignored. */
export async function endCharge(connection: RedisConnection, blob: ChargedBlob, account: string): Promise<void> {
  await connection.run(endChargeScript, connection.keys.charges(account), [nameOf(blob)])
}

/** Ends charges whose blob is not there or is charged to another account. True: there were some. */
async function endAbandoned(connection: RedisConnection, account: string): Promise<boolean> {
  const until = (await connection.now()) - ABANDONED
  const key = connection.keys.charges(account)('since')
  const names = (await connection.command(key, 'ZRANGEBYSCORE', '-inf', until, 'LIMIT', 0, MAX_CHECKED)) as string[]
  const ended = await Promise.all(
    names.map(async name => {
      const blob = blobNamed(name)
      const present = await connection.run(findBlobScript, connection.keys.blob(blob))
      if (isCharged(present, blob, account)) return false
      await endCharge(connection, blob, account)
      return true
    }),
  )
  return ended.includes(true)
}

function isCharged(facts: RedisReply, { instance }: ChargedBlob, account: string): boolean {
  const [, , , , present, charged] = (facts ?? []) as readonly RedisReply[]
  return present === instance && charged === account.toWellFormed()
}

const nameOf = ({ scope, name, instance }: ChargedBlob): string => pairText(instance, pairText(scope, name))

function blobNamed(text: string): ChargedBlob {
  const [instance, blob] = pairOf(text)
  const [scope, name] = pairOf(blob)
  return { scope, name, instance }
}
