import type { Attributes, ObjectId } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { attributesText } from '@godwit/store/history'
import { queryStream } from '../query/query-results.js'
import { type CallEngine, callSource } from '../sources/call-source.js'
import { withLogin } from '../sources/with-login.js'
import { digestIn, openDigest } from './digest.js'

/** The collection whose contents are fetched, and the user to query for. */
export interface ContentsRequest {
  readonly source: Source
  readonly collection: CollectionId
  /** The login. */
  readonly user: string
  readonly parameters: { readonly [name: string]: string }
}

/** An object as stored in its collection. */
export interface StoredObjectText {
  readonly id: ObjectId
  readonly text: string
}

/**
 * Queries the source and returns the contents of the given objects as JSON text; only those are held in memory. An object whose content no longer has
 * the stored digest is omitted, and comes with the next query.
 */
export async function fetchContents(
  engine: CallEngine,
  { source, collection, user, parameters }: ContentsRequest,
  objects: readonly StoredObjectText[],
): Promise<ReadonlyMap<ObjectId, string>> {
  const wanted = new Map(objects.map(({ id, text }) => [id, digestIn(text)]))
  if (wanted.size === 0 || source.methods.query === undefined) return new Map()
  const digest = await openDigest(engine)
  const call = { source, user, partition: collection.partition, timeout: source.queryTimeout }
  const { beforeTimeout } = callSource(engine, call, (context, holdSignal) =>
    withLogin({ source, context, holdSignal }, async () => {
      const found = new Map<ObjectId, Attributes>()
      for await (const part of queryStream(source, { ...context, parameters, recordProof: async () => {} })) {
        for (const id of Object.keys(part)) if (wanted.has(id)) found.set(id, part[id] as Attributes)
        context.signal.throwIfAborted()
      }
      return found
    }),
  )
  const same = [...(await beforeTimeout)].filter(([id, attributes]) => digest(attributes) === wanted.get(id))
  return new Map(same.map(([id, attributes]) => [id, attributesText(attributes)]))
}
