import { type DocumentNames, emptyRecord, fillPath, routes } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { type PlaceName, placeOf } from '../sources/place.js'
import { COMPUTED } from './computed.js'
import { documentScope } from './scope.js'

const PAGE = 500

/** Every document of a source for a user, with its path: the computed ones, then the custom ones in order. */
export async function documentNames(engine: Pick<Engine, 'store' | 'sources'>, of: PlaceName): Promise<DocumentNames> {
  const { collection } = await placeOf(engine, of)
  const paths = emptyRecord<string>()
  const add = (doc: string) => {
    paths[doc] = fillPath(routes.users.readDocument.path, { user_id: of.user, source_id: of.source, doc })
  }
  for (const name of COMPUTED.keys()) add(name)
  for (let after: string | undefined; ; ) {
    const names = await engine.store.documents.names(documentScope(collection), { after, limit: PAGE })
    for (const name of names) add(name)
    after = names.at(-1)
    if (names.length < PAGE) return paths
  }
}
