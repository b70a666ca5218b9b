import type { Attributes, Mutation } from '@godwit/protocol'
import type { Source, WriteContext } from '@godwit/source'
import type { BlobFacts, CollectionId } from '@godwit/store'
import { blobBytes } from '../../base/blob-bytes.js'
import { blobScope } from '../../base/blob-scopes.js'
import type { DeviceEngine } from '../device-engine.js'
import { namedBlobs } from './named-blobs.js'

type BlobEngine = Pick<DeviceEngine, 'store'>

/** A blob that a call to the source needs. */
export interface NeededBlob {
  readonly attribute: string
  readonly hash: string
  /** Undefined while bytes are missing. */
  readonly facts: BlobFacts | undefined
}

/** Returns the blobs that a mutation names among the attributes sent to its source. */
export async function neededBlobs(
  { store }: BlobEngine,
  collection: CollectionId,
  mutation: Mutation,
  attributes: Attributes,
): Promise<readonly NeededBlob[]> {
  const scope = blobScope(collection)
  const needed: NeededBlob[] = []
  for (const [attribute, hash] of namedBlobs(mutation, attributes)) {
    const facts = await store.blobs.find({ scope, name: hash })
    needed.push({ attribute, hash, facts: facts?.complete ? facts : undefined })
  }
  return needed
}

/** Passes each blob to the source before the mutation that names it. Returns the hashes that the source replaced, by attribute. */
export async function storeBlobs(
  { store }: BlobEngine,
  { methods }: Source,
  { collection, mutation, needed }: { collection: CollectionId; mutation: Mutation; needed: readonly NeededBlob[] },
  context: WriteContext,
): Promise<Attributes> {
  const replaced: [string, string][] = []
  if (methods.storeBlob === undefined) return {}
  const scope = blobScope(collection)
  for (const { attribute, hash, facts } of needed) {
    const size = facts?.size ?? 0
    const read = (): AsyncIterable<Uint8Array> => blobBytes(store, { scope, name: hash }, 0, size)
    const { object } = mutation
    const other = await methods.storeBlob({ hash, size, object, attribute, read }, context)
    if (typeof other === 'string') replaced.push([attribute, other])
  }
  return Object.fromEntries(replaced)
}
