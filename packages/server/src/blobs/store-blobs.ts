import type { Attributes, ObjectId } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import type { Source, WriteContext } from '../sources/source.js'
import { blobBytes } from './blob-bytes.js'
import { blobScope } from './scope.js'

const HASH = /^[0-9a-f]{64}$/

/** Whether a value may name a blob. */
export const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value)

/** Hands the source each blob that these attributes name; they come back with the hashes that it gives instead. */
export async function storeBlobs<A extends Attributes>(
  { store }: Pick<Engine, 'store'>,
  { name: source, methods }: Source,
  { partition, object, attributes }: { partition: CollectionId['partition']; object: ObjectId; attributes: A },
  context: WriteContext,
): Promise<A> {
  if (methods.storeBlob === undefined) return attributes
  const scope = blobScope({ source, partition })
  let result = attributes
  for (const [attribute, hash] of Object.entries(attributes)) {
    if (!isHash(hash)) continue
    const blob = { scope, name: hash }
    const facts = await store.blobs.find(blob)
    if (!facts?.complete) continue
    const { size } = facts
    const read = (): AsyncIterable<Uint8Array> => blobBytes(store, blob, 0, size)
    const other = await methods.storeBlob({ hash, size, object, attribute, read }, context)
    if (typeof other === 'string') result = { ...result, [attribute]: other }
  }
  return result
}
