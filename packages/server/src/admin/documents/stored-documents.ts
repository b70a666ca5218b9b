import { type DocumentWrite, SyncError } from '@godwit/protocol'
import { TEXT_TYPE, TextReply } from '../../base/text-reply.js'
import type { AdminEngine } from '../admin-engine.js'

/** The name of a custom document, which is stored as written. */
export interface StoredDocument {
  readonly scope: string
  readonly doc: string
}

/** Returns the content: text unchanged, objects as JSON. Throws `document_not_found`. */
export async function readStoredDocument(
  { store }: Pick<AdminEngine, 'store'>,
  { scope, doc }: StoredDocument,
): Promise<TextReply> {
  const content = await store.documents.get(scope, doc)
  if (content === undefined) throw new SyncError('document_not_found', `There is no document ${JSON.stringify(doc)}.`)
  if (typeof content === 'string') return new TextReply(content, { type: TEXT_TYPE })
  return new TextReply(JSON.stringify(content))
}

/** Replaces a document or appends to it. Throws `kind_differs` for text appended to objects, or objects to text. */
export async function writeStoredDocument(
  { store: { documents } }: Pick<AdminEngine, 'store'>,
  { scope, doc, data, append = false }: StoredDocument & DocumentWrite,
): Promise<void> {
  if (!append) return documents.set(scope, doc, data)
  if ((await documents.append(scope, doc, data)) === 'appended') return
  const [present, given] = typeof data === 'string' ? ['objects', 'a text'] : ['a text', 'objects']
  const expected = `expected ${present} to add to the document ${JSON.stringify(doc)}, which holds ${present}, got ${given}`
  throw new SyncError('kind_differs', `${expected}. Nothing was changed.`)
}
