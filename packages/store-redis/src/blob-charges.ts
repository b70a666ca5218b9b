import type { BlobCharge, BlobName } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { pairOf, pairText } from './names.js'
import type { RedisReply } from './redis-handle.js'
import { findBlobScript } from './scripts/blobs.js'
import { addChargeScript, endChargeScript, TOTAL } from './scripts/charges.js'

/** One instance of a blob: a blob that is removed and uploaded again has a new instance, with a separate charge. */
export interface ChargedBlob extends BlobName {
  readonly instance: string
}

/**
 * Milliseconds after which a charge without a blob is abandoned. A charge is written before its blob, which may be on another server, so a process
 * that dies between the two leaves one.
 */
const ABANDONED = 60_000
/** How many old charges are checked when an account has no room. */
const MAX_CHECKED = 100

/** The bytes that an account is charged with. */
export async function bytesChargedTo(connection: RedisConnection, account: string): Promise<number> {
  return Number((await connection.command(connection.keys.charges(account)('bytes'), 'HGET', TOTAL)) ?? 0)
}

/** Charges the blob to the account. Returns false if the account has no room. */
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

/** Ends the charge of a blob to an account; does nothing if there is none. */
export async function endCharge(connection: RedisConnection, blob: ChargedBlob, account: string): Promise<void> {
  await connection.run(endChargeScript, connection.keys.charges(account), [nameOf(blob)])
}

/** Ends charges whose blob is missing or charged to another account. Returns true if it ended any. */
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
