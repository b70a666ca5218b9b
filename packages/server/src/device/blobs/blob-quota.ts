import type { BlobCharge, BlobName, CollectionId, JournalEntry, LimitedCharge, Store } from '@godwit/store'
import { quotaExceeded } from '../../accounts/quota/quota-exceeded.js'
import { blobScope } from '../../base/blob-scopes.js'
import type { DeviceEngine } from '../device-engine.js'
import { namedBlobs } from './named-blobs.js'

/** Bytes charged per blob besides its size, so that many empty blobs are not free. */
export const BLOB_OVERHEAD = 1024
const RETRY_AFTER = 60
const BATCH_SIZE = 50

type QuotaEngine = Pick<DeviceEngine, 'store' | 'limits' | 'metrics'>

/** Returns the charge for a blob to the user who sends it, until a change or object names it. */
export const limitedCharge = ({ limits }: QuotaEngine, user: string, size: number): LimitedCharge => ({
  ...chargeOf(user, size),
  limit: limits.unnamedBlobBytes,
})

/** The error for a blob beyond `unnamedBlobBytes`, which is counted in the metrics. */
export const blobQuotaExceeded = (engine: QuotaEngine) =>
  quotaExceeded(engine, {
    limit: 'unnamedBlobBytes',
    message: `A user may have ${engine.limits.unnamedBlobBytes} bytes of blobs here that no change and no object names, and this one would be beyond. Push the changes that name those that were sent; one that nothing names goes after ${engine.limits.blobLife} seconds.`,
    retryAfter: RETRY_AFTER,
  })

/** Ends the charges of blobs that a change or object names. */
export async function endCharges({ store }: Pick<DeviceEngine, 'store'>, blobs: readonly BlobName[]): Promise<void> {
  for (let from = 0; from < blobs.length; from += BATCH_SIZE)
    await Promise.all(blobs.slice(from, from + BATCH_SIZE).map(blob => store.blobs.charge(blob, undefined)))
}

/** Charges users again for the blobs of mutations decided without an object that names them, as refused ones. */
export async function chargeRefused(
  { store }: { readonly store: Pick<Store, 'journal' | 'collections' | 'blobs'> },
  entries: readonly JournalEntry[],
): Promise<void> {
  const naming = entries.filter(({ mutation }) => (mutation.blobs ?? []).length > 0)
  const [first] = naming
  if (first === undefined) return
  const { collection } = first
  const present = await store.journal.entries(
    collection,
    naming.map(({ mutation }) => mutation.key),
  )
  const decided = new Map(present.flatMap(entry => (entry.state === 'decided' ? [[entry.mutation.key, entry]] : [])))
  for (const { user, mutation } of naming) {
    const entry = decided.get(mutation.key)
    if (entry === undefined) continue
    const object = entry.outcome?.link ?? mutation.object
    for (const [, hash] of namedBlobs(mutation, mutation.attributes))
      if (!(await isNamed(store, collection, { object, hash }))) await chargeAgain(store, { collection, hash, user })
  }
}

async function isNamed(
  { collections }: Pick<DeviceEngine['store'], 'collections'>,
  collection: CollectionId,
  { object, hash }: { readonly object: string; readonly hash: string },
): Promise<boolean> {
  const present = await collections.look(collection, object)
  return present.state === 'live' && Object.values(present.attributes).includes(hash)
}

async function chargeAgain(
  { blobs }: Pick<DeviceEngine['store'], 'blobs'>,
  { collection, hash, user }: { readonly collection: CollectionId; readonly hash: string; readonly user: string },
): Promise<void> {
  const blob = { scope: blobScope(collection), name: hash }
  const facts = await blobs.find(blob)
  if (facts) await blobs.charge(blob, chargeOf(user, facts.size))
}

const chargeOf = (account: string, size: number): BlobCharge => ({ account, bytes: size + BLOB_OVERHEAD })
