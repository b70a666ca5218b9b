import { emptyRecord, type SourceError, SyncError } from '@godwit/protocol'
import { messageOf, type SourceContext } from '@godwit/source'
import { type CallEngine, callSource } from '../../backend/sources/call-source.js'
import { descriptionText } from '../../backend/sources/source-descriptions.js'
import { documentScope } from '../../base/document-scopes.js'
import { type StreamReply, TEXT_TYPE, TextReply } from '../../base/text-reply.js'
import { objectsOf } from './objects-of.js'
import type { ResolvedCollection } from './resolve-collection.js'

type ComputeDocument = (engine: CallEngine, place: ResolvedCollection) => Promise<TextReply | StreamReply>

/** The documents that the server computes. `md` is the collection itself and can be written; the others are read-only. */
export const COMPUTED: ReadonlyMap<string, ComputeDocument> = new Map<string, ComputeDocument>([
  ['md', async ({ store }, { collection, source }) => objectsOf(store, collection, { bare: source.passThrough })],
  [
    'md_size',
    async ({ store }, { collection }) => textReply(String((await store.collections.head(collection))?.count ?? 0)),
  ],
  [
    'errors',
    async ({ store }, { collection }) => jsonReply(errorsOf((await store.collections.head(collection))?.sourceError)),
  ],
  ['metadata', (engine, place) => readDescription(engine, place, 'metadata')],
  ['schema', (engine, place) => readDescription(engine, place, 'schema')],
])

const textReply = (content: string): TextReply => new TextReply(content, { type: TEXT_TYPE })
const jsonReply = (content: object): TextReply => new TextReply(JSON.stringify(content))

type SourceMethod = (context: SourceContext) => object | Promise<object>

/** Operation → its last error. */
function errorsOf(failure: SourceError | undefined): object {
  const errors = emptyRecord<SourceError>()
  if (failure) errors['query'] = failure
  return errors
}

/** Returns the source's metadata or schema as JSON text: the one sent to devices, else the present one; '' if there is none. */
async function readDescription(
  engine: CallEngine,
  place: ResolvedCollection,
  name: 'metadata' | 'schema',
): Promise<TextReply> {
  const { source, user, collection } = place
  const method: SourceMethod | undefined = source.methods[name]
  if (!method) return textReply('')
  const kept = await engine.store.documents.get(documentScope(collection), name)
  if (typeof kept === 'string') return textReply(kept)
  const { partition } = collection
  try {
    const { beforeTimeout } = callSource(engine, { source, user, partition, timeout: source.timeout }, method)
    return textReply(descriptionText(name, await beforeTimeout))
  } catch (cause) {
    throw new SyncError('backend_failed', `The source ${source.name} failed: ${messageOf(cause)}`, { cause })
  }
}
