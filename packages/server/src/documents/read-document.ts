import type { Engine } from '../engine.js'
import type { Prepared, Streamed } from '../prepared.js'
import { type PlaceName, placeOf } from '../sources/place.js'
import { COMPUTED } from './computed.js'
import { readKept } from './kept.js'
import { documentScope } from './scope.js'

/** The content of a document of a source: computed, or as it was written. */
export async function readDocument(
  engine: Pick<Engine, 'store' | 'sources' | 'log' | 'stopping'>,
  { doc, ...of }: PlaceName & { readonly doc: string },
): Promise<Prepared | Streamed> {
  const place = await placeOf(engine, of)
  const compute = COMPUTED.get(doc)
  return compute ? compute(engine, place) : readKept(engine, { scope: documentScope(place.collection), doc })
}
