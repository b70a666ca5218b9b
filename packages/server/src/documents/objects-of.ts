import type { CollectionId, Store } from '@godwit/store'
import { Streamed } from '../prepared.js'

const PAGE = 1000

/** The live objects of a collection as one JSON object map, read and sent page by page: each object as it stands when its page is read. */
export const objectsOf = (store: Pick<Store, 'collections'>, collection: CollectionId): Streamed =>
  new Streamed(parts(store, collection))

async function* parts({ collections }: Pick<Store, 'collections'>, collection: CollectionId): AsyncGenerator<string> {
  let after: string | undefined
  let before = '{'
  for (;;) {
    const rows = await collections.list(collection, { after, limit: PAGE })
    if (rows.length > 0) yield before + rows.map(({ id, text }) => `${JSON.stringify(id)}:${text}`).join(',')
    if (rows.length > 0) before = ','
    after = rows.at(-1)?.id
    if (rows.length < PAGE) break
  }
  yield before === '{' ? '{}' : '}'
}
