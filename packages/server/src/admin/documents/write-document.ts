import { type DocumentWrite, SyncError } from '@godwit/protocol'
import type { WriterOrigin } from '@godwit/store'
import { recordCollection } from '../../accounts/users/client-record.js'
import { resetClient } from '../../accounts/users/clients.js'
import { refuseContent } from '../../backend/pass-through/refuse-content.js'
import { clientScope, documentScope } from '../../base/document-scopes.js'
import type { AdminEngine } from '../admin-engine.js'
import { COMPUTED_OF_CLIENT } from './client-computed-documents.js'
import { COMPUTED } from './computed-documents.js'
import { type ClientCollectionPath, resolveClientCollection } from './resolve-client-collection.js'
import { type CollectionPath, resolveCollection } from './resolve-collection.js'
import { writeStoredDocument } from './stored-documents.js'
import { refuseText, writeObjects } from './write-objects.js'

type DocumentUpdate<Place> = Place & DocumentWrite & { readonly doc: string }

/** Writes a document: `md` changes the collection, other computed documents are refused, and any other name is stored as given. */
export async function writeDocument(
  engine: Pick<AdminEngine, 'store' | 'sources' | 'changes' | 'reporter'>,
  {
    doc,
    data,
    append = false,
    origin,
    ...of
  }: DocumentUpdate<CollectionPath> & { readonly origin?: WriterOrigin | undefined },
): Promise<void> {
  const { collection, source } = await resolveCollection(engine, of)
  if (doc === 'md') refuseContent(source)
  if (doc === 'md') return writeObjects(engine, collection, { data, append, origin })
  if (COMPUTED.has(doc)) throw readOnlyError(doc, 'md')
  // Opened so that dropping the user's collections finds this document, even if the source was never queried.
  await engine.store.collections.open(collection)
  await writeStoredDocument(engine, { scope: documentScope(collection), doc, data, append })
}

/** Writes a document for a client. Writing `cd` makes the client fetch all objects again, whatever the content. */
export async function writeClientDocument(
  engine: Pick<AdminEngine, 'store' | 'sources' | 'randomId'>,
  { doc, data, append = false, ...of }: DocumentUpdate<ClientCollectionPath>,
): Promise<void> {
  const { client, source, collection } = await resolveClientCollection(engine, of)
  if (doc === 'cd') {
    refuseText(doc, data)
    return resetClient(engine, client.id, { sources: [source.name] })
  }
  if (COMPUTED_OF_CLIENT.has(doc)) throw readOnlyError(doc, 'cd')
  await recordCollection(engine.store, client, collection)
  await writeStoredDocument(engine, { scope: clientScope(source.name, client.id), doc, data, append })
}

const readOnlyError = (doc: string, writable: string): SyncError =>
  new SyncError(
    'document_read_only',
    `expected ${writable} or a document of another name, got ${doc}, which the server computes.`,
  )
