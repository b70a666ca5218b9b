import type { ChangeRow, CollectionId, Store } from '@godwit/store'
import { StreamReply } from '../../base/text-reply.js'

const PAGE = 1000

/** Streams the live objects of a collection as one JSON object map, page by page; each object is in its state when its page is read. */
export const objectsOf = (
  store: Pick<Store, 'collections'>,
  collection: CollectionId,
  { isIncluded = () => true, bare = false }: ObjectsOptions = {},
): StreamReply => new StreamReply(jsonParts(store, collection, { isIncluded, bare }))

/** Options of the object stream. */
export interface ObjectsOptions {
  /** Selects the objects. Default: all. */
  readonly isIncluded?: (row: ChangeRow) => boolean
  /** Writes ids without attributes, as for a pass-through source. Default false. */
  readonly bare?: boolean
}

async function* jsonParts(
  { collections }: Pick<Store, 'collections'>,
  collection: CollectionId,
  { isIncluded, bare }: Required<ObjectsOptions>,
): AsyncGenerator<string> {
  let after: string | undefined
  let before = '{'
  for (;;) {
    const { rows, more } = await collections.list(collection, { after, limit: PAGE })
    const wanted = rows.filter(isIncluded)
    if (wanted.length > 0)
      yield before + wanted.map(({ id, text }) => `${JSON.stringify(id)}:${bare ? '{}' : text}`).join(',')
    if (wanted.length > 0) before = ','
    after = rows.at(-1)?.id
    if (!more) break
  }
  yield before === '{' ? '{}' : '}'
}
