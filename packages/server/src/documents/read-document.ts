import { SyncError } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { Prepared, type Streamed, TEXT_TYPE } from '../prepared.js'
import { COMPUTED } from './computed.js'
import { type DocumentsOf, placeOf } from './place.js'
import { documentScope } from './scope.js'

/** The content of a document: text as it is, objects as JSON. */
export async function readDocument(
  engine: Pick<Engine, 'store' | 'sources' | 'log' | 'stopping'>,
  { doc, ...of }: DocumentsOf & { readonly doc: string },
): Promise<Prepared | Streamed> {
  const place = await placeOf(engine, of)
  const compute = COMPUTED.get(doc)
  if (compute) return compute(engine, place)
  const content = await engine.store.documents.get(documentScope(place.collection), doc)
  if (content === undefined) throw new SyncError('document_not_found', `There is no document ${JSON.stringify(doc)}.`)
  if (typeof content === 'string') return new Prepared(content, { type: TEXT_TYPE })
  return new Prepared(JSON.stringify(content))
}
