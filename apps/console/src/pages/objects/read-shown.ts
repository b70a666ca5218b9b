import { type Attributes, isSyncError } from '@godwit/admin-client'
import { admin } from '../../api.js'

/** What is shown of a document. */
export type DocumentView =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'objects'
      readonly entries: readonly (readonly [id: string, attributes: Attributes])[]
      readonly isCut: boolean
    }

const MAX_OBJECTS = 1000

interface DocumentName {
  readonly user: string
  readonly source: string
  readonly name: string
}

/** The first objects of a document, however large it is; of a text, all of it. */
export async function readDocumentView(
  { user, source, name }: DocumentName,
  { signal }: { readonly signal: AbortSignal },
): Promise<DocumentView> {
  const entries: (readonly [string, Attributes])[] = []
  try {
    for await (const [id, attributes] of admin.users.readDocument(user, source, name, { stream: true, signal })) {
      if (entries.length === MAX_OBJECTS) return { kind: 'objects', entries, isCut: true }
      entries.push([id, attributes])
    }
    return { kind: 'objects', entries, isCut: false }
  } catch (error) {
    if (!isSyncError(error) || error.code !== 'kind_differs') throw error
    const text = await admin.users.readDocument(user, source, name, { signal })
    return { kind: 'text', text: String(text) }
  }
}
