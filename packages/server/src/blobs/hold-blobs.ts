import { type Mutation, SyncError } from '@godwit/protocol'
import type { BlobName, CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { endCharges } from '../quota/blob-quota.js'
import { blobScope } from './blob-scopes.js'
import { namedBlobs } from './named-blobs.js'

type HoldEngine = Pick<Engine, 'store' | 'randomId'>

/** Holds that one request has made. */
export interface HeldBlobs {
  /** The request was accepted: its user is not charged for them any more. */
  accepted(): Promise<void>
  /** Ends them: the request was not accepted. */
  release(): Promise<void>
}

const BATCH_SIZE = 50

/**
 * Holds the blobs that the new mutations of a push name, from before they are accepted until they are decided: the sweep ends the holds then.
 * Throws `blob_missing`, and holds none, where bytes are not here. What the journal knows already was held when it was accepted.
 */
export async function holdBlobs(
  engine: HoldEngine,
  collection: CollectionId,
  mutations: readonly Mutation[],
): Promise<HeldBlobs> {
  const naming = mutations.filter(mutation => namedBlobs(mutation, mutation.attributes).length > 0)
  if (naming.length === 0) return NO_BLOBS
  const { journal, blobs } = engine.store
  const keys = naming.map(({ key }) => key)
  const known = new Set((await journal.entries(collection, keys)).map(({ mutation }) => mutation.key))
  const request = engine.randomId()
  const wanted = naming.flatMap(mutation => (known.has(mutation.key) ? [] : holdsOf(collection, mutation, request)))
  const held: BlobHold[] = []
  const missing = new Set<string>()
  for (let from = 0; from < wanted.length; from += BATCH_SIZE) {
    const some = wanted.slice(from, from + BATCH_SIZE)
    const isHeld = await Promise.all(some.map(({ blob, holder }) => blobs.hold(blob, holder)))
    for (const [index, hold] of some.entries()) {
      if (isHeld[index]) held.push(hold)
      else if (!hold.isLost) missing.add(hold.blob.name)
    }
  }
  const release = async (): Promise<void> => {
    for (const { blob, holder } of held) await blobs.release(blob, holder)
  }
  const accepted = (): Promise<void> =>
    endCharges(
      engine,
      held.map(({ blob }) => blob),
    )
  if (missing.size === 0) return { accepted, release }
  await release()
  throw blobMissing([...missing])
}

const doNothing = async (): Promise<void> => undefined
const NO_BLOBS: HeldBlobs = { accepted: doNothing, release: doNothing }

interface BlobHold {
  readonly blob: BlobName
  readonly holder: string
  /** The device has no bytes to send. */
  readonly isLost: boolean
}

/** A holder of each request: one that is refused must not end what another has made for the same mutation. */
const holdsOf = (collection: CollectionId, mutation: Mutation, request: string): readonly BlobHold[] =>
  namedBlobs(mutation, mutation.attributes).map(([, name]) => ({
    blob: { scope: blobScope(collection), name },
    holder: JSON.stringify([MUTATION, mutation.key, request]),
    isLost: mutation.blobs_lost === true,
  }))

const MUTATION = 'mutation'

/** The key of the mutation that holds a blob; undefined: someone else does. */
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
