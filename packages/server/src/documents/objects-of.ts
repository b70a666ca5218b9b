import type { ChangeRow, CollectionId, Store } from '@godwit/store'
import { StreamReply } from '../text-reply.js'

const PAGE = 1000

/** The live objects of a collection as one JSON object map, read and sent page by page: each object as it stands when its page is read. */
export const objectsOf = (
  store: Pick<Store, 'collections'>,
  collection: CollectionId,
  { isShown = () => true, bare = false }: ObjectsOptions = {},
): StreamReply => new StreamReply(jsonParts(store, collection, { isShown, bare }))

/** What is written of a collection's objects. */
export interface ObjectsOptions {
  /** Which objects. Default: all. */
  readonly isShown?: (row: ChangeRow) => boolean
  /** Ids alone: of a source that passes through there is nothing else. Default false. */
  readonly bare?: boolean
}

async function* jsonParts(
  { collections }: Pick<Store, 'collections'>,
  collection: CollectionId,
  { isShown, bare }: Required<ObjectsOptions>,
): AsyncGenerator<string> {
  let after: string | undefined
  let before = '{'
  for (;;) {
    const rows = await collections.list(collection, { after, limit: PAGE })
    const wanted = rows.filter(isShown)
    if (wanted.length > 0)
      yield before + wanted.map(({ id, text }) => `${JSON.stringify(id)}:${bare ? '{}' : text}`).join(',')
    if (wanted.length > 0) before = ','
    after = rows.at(-1)?.id
    if (rows.length < PAGE) break
  }
  yield before === '{' ? '{}' : '}'
}
