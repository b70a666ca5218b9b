import { type DocumentWrite, SyncError } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { type PlaceName, placeOf } from '../sources/place.js'
import { COMPUTED } from './computed.js'
import { writeKept } from './kept.js'
import { documentScope } from './scope.js'
import { writeObjects } from './write-objects.js'

/** Writes a document: `md` changes the collection, computed ones are refused, any other name is kept as it comes. */
export async function writeDocument(
  engine: Pick<Engine, 'store' | 'sources' | 'log'>,
  { doc, data, append = false, ...of }: PlaceName & DocumentWrite & { readonly doc: string },
): Promise<void> {
  const { collection } = await placeOf(engine, of)
  if (doc === 'md') return writeObjects(engine, collection, { data, append })
  if (COMPUTED.has(doc)) {
    throw new SyncError(
      'document_read_only',
      `${doc} is computed by the server; write md or a document of another name.`,
    )
  }
  await writeKept(engine, { scope: documentScope(collection), doc, data, append })
}
