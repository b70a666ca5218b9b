import type { ObjectId, ObjectMap } from '@godwit/protocol'
import type { BlobName, CollectionId } from '@godwit/store'
import { blobScope } from '../../base/blob-scopes.js'
import type { DeviceEngine } from '../device-engine.js'
import { isHash } from './named-blobs.js'

type FoundBlobEngine = Pick<DeviceEngine, 'store'>

const BATCH_SIZE = 50

/**
 * Holds the blobs that found objects name, for as long as an unnamed blob lives. Found objects enter no collection, so the hold is what lets the user
 * read them.
 */
export async function holdFoundBlobs(
  { store }: FoundBlobEngine,
  { collection, user }: { readonly collection: CollectionId; readonly user: string },
  objects: ObjectMap,
): Promise<void> {
  const scope = blobScope(collection)
  const named = Object.entries(objects).flatMap(([object, attributes]) =>
    Object.values(attributes).flatMap(value => (isHash(value) ? [{ object, name: value }] : [])),
  )
  for (let from = 0; from < named.length; from += BATCH_SIZE)
    await Promise.all(
      named
        .slice(from, from + BATCH_SIZE)
        .map(({ object, name }) => store.blobs.hold({ scope, name }, holderOf(user, object))),
    )
}

/** True if a recent search of the user found this object with this blob. */
export async function isFoundBlob(
  { store }: FoundBlobEngine,
  blob: BlobName,
  { user, object }: { readonly user: string; readonly object: ObjectId },
): Promise<boolean> {
  const finder = holderOf(user, object)
  return (await store.blobs.holders(blob)).some(({ holder }) => holder === finder)
}

const holderOf = (user: string, object: ObjectId): string => JSON.stringify(['found', user, object]).toWellFormed()
