import { type Mutation, SyncError } from '@godwit/protocol'
import type { BlobName, CollectionId } from '@godwit/store'
import { blobScope } from '../../base/blob-scopes.js'
import type { DeviceEngine } from '../device-engine.js'
import { endCharges } from './blob-quota.js'
import { namedBlobs } from './named-blobs.js'

type HoldEngine = Pick<DeviceEngine, 'store' | 'randomId'>

/** The holds that one request created. */
export interface BlobHolds {
  /** Called when the request is accepted: stops charging the blobs to its user. */
  accepted(): Promise<void>
  /** Releases the holds of a request that was not accepted. */
  release(): Promise<void>
}

const BATCH_SIZE = 50

/**
 * Holds the blobs named by the new mutations of a push until they are decided; the sweep then releases them. Mutations that the journal has are
 * already held. Throws `blob_missing`, and holds nothing, if bytes are missing.
 */
export async function holdBlobs(
  engine: HoldEngine,
  collection: CollectionId,
  mutations: readonly Mutation[],
): Promise<BlobHolds> {
  const naming = mutations.filter(mutation => namedBlobs(mutation, mutation.attributes).length > 0)
  if (naming.length === 0) return NO_BLOBS
  const { journal, blobs } = engine.store
  const keys = naming.map(({ key }) => key)
  const known = new Set((await journal.entries(collection, keys)).map(({ mutation }) => mutation.key))
  const request = engine.randomId()
  const wanted = naming.flatMap(mutation => (known.has(mutation.key) ? [] : holdsOf(collection, mutation, request)))
  const holds: BlobHold[] = []
  const missing = new Set<string>()
  for (let from = 0; from < wanted.length; from += BATCH_SIZE) {
    const some = wanted.slice(from, from + BATCH_SIZE)
    const wasAdded = await Promise.all(some.map(({ blob, holder }) => blobs.hold(blob, holder)))
    for (const [index, hold] of some.entries()) {
      if (wasAdded[index]) holds.push(hold)
      else if (!hold.isLost) missing.add(hold.blob.name)
    }
  }
  const release = async (): Promise<void> => {
    for (const { blob, holder } of holds) await blobs.release(blob, holder)
  }
  const accepted = (): Promise<void> =>
    endCharges(
      engine,
      holds.map(({ blob }) => blob),
    )
  if (missing.size === 0) return { accepted, release }
  await release()
  throw blobMissing([...missing])
}

const doNothing = async (): Promise<void> => undefined
const NO_BLOBS: BlobHolds = { accepted: doNothing, release: doNothing }

interface BlobHold {
  readonly blob: BlobName
  readonly holder: string
  /** True if the device no longer has the bytes. */
  readonly isLost: boolean
}

/** Each request has its own holder, so that a refused one does not release the hold of another for the same mutation. */
const holdsOf = (collection: CollectionId, mutation: Mutation, request: string): readonly BlobHold[] =>
  namedBlobs(mutation, mutation.attributes).map(([, name]) => ({
    blob: { scope: blobScope(collection), name },
    holder: JSON.stringify([MUTATION, mutation.key, request]),
    isLost: mutation.blobs_lost === true,
  }))

const MUTATION = 'mutation'

/** Returns the key of the mutation that holds a blob; undefined if the holder is not a mutation. */
export function keyOfHolder(holder: string): string | undefined {
  const [kind, key] = JSON.parse(holder) as readonly string[]
  return kind === MUTATION ? key : undefined
}

const blobMissing = (hashes: readonly string[]): SyncError =>
  new SyncError(
    'blob_missing',
    `expected the bytes of ${hashes.length} blobs to be on the server before the mutations that name them, got none. Send them and repeat the push.`,
    { details: { hashes } },
  )
