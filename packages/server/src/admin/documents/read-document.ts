import type { CallEngine } from '../../backend/sources/call-source.js'
import { clientScope, documentScope } from '../../base/document-scopes.js'
import type { StreamReply, TextReply } from '../../base/text-reply.js'
import type { AdminEngine } from '../admin-engine.js'
import { COMPUTED_OF_CLIENT } from './client-computed-documents.js'
import { COMPUTED } from './computed-documents.js'
import { type ClientCollectionPath, resolveClientCollection } from './resolve-client-collection.js'
import { type CollectionPath, resolveCollection } from './resolve-collection.js'
import { readStoredDocument } from './stored-documents.js'

/** Returns the content of a document of a source: computed, or as it was written. */
export async function readDocument(
  engine: Pick<AdminEngine, 'sources'> & CallEngine,
  { doc, ...of }: CollectionPath & { readonly doc: string },
): Promise<TextReply | StreamReply> {
  const place = await resolveCollection(engine, of)
  const compute = COMPUTED.get(doc)
  return compute ? compute(engine, place) : readStoredDocument(engine, { scope: documentScope(place.collection), doc })
}

/** Returns the content of a document of a source for a client. */
export async function readClientDocument(
  engine: Pick<AdminEngine, 'store' | 'sources'>,
  { doc, ...of }: ClientCollectionPath & { readonly doc: string },
): Promise<TextReply | StreamReply> {
  const place = await resolveClientCollection(engine, of)
  const compute = COMPUTED_OF_CLIENT.get(doc)
  return compute
    ? compute(engine, place)
    : readStoredDocument(engine, { scope: clientScope(place.source.name, place.client.id), doc })
}
