import { type DocumentNames, emptyRecord, fillPath, routes } from '@godwit/protocol'
import { clientScope, documentScope } from '../../base/document-scopes.js'
import type { AdminEngine } from '../admin-engine.js'
import { COMPUTED_OF_CLIENT } from './client-computed-documents.js'
import { COMPUTED } from './computed-documents.js'
import { type ClientCollectionPath, resolveClientCollection } from './resolve-client-collection.js'
import { type CollectionPath, resolveCollection } from './resolve-collection.js'

const PAGE = 500

type NamesEngine = Pick<AdminEngine, 'store' | 'sources'>

/** Lists the documents of a source for a user with their paths: the computed ones, then the custom ones in order. */
export async function documentNames(engine: NamesEngine, of: CollectionPath): Promise<DocumentNames> {
  const { collection } = await resolveCollection(engine, of)
  const place = { user_id: of.user, source_id: of.source }
  return namesOf(engine, {
    computed: COMPUTED.keys(),
    scope: documentScope(collection),
    path: doc => fillPath(routes.users.readDocument.path, { ...place, doc }),
  })
}

/** Lists the documents of a source for a client. */
export async function clientDocumentNames(engine: NamesEngine, of: ClientCollectionPath): Promise<DocumentNames> {
  const { source, client } = await resolveClientCollection(engine, of)
  const place = { client_id: client.id, source_id: source.name }
  return namesOf(engine, {
    computed: COMPUTED_OF_CLIENT.keys(),
    scope: clientScope(source.name, client.id),
    path: doc => fillPath(routes.clients.readDocument.path, { ...place, doc }),
  })
}

interface DocumentFolder {
  readonly computed: Iterable<string>
  readonly scope: string
  readonly path: (doc: string) => string
}

async function namesOf({ store }: NamesEngine, { computed, scope, path }: DocumentFolder): Promise<DocumentNames> {
  const paths = emptyRecord<string>()
  for (const doc of computed) paths[doc] = path(doc)
  for (let after: string | undefined; ; ) {
    const names = await store.documents.names(scope, { after, limit: PAGE })
    for (const doc of names) paths[doc] = path(doc)
    after = names.at(-1)
    if (names.length < PAGE) return paths
  }
}
