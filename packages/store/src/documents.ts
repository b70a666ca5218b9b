import type { DocumentContent } from '@godwit/protocol'

/**
 * Named values, which the REST API calls store documents and custom documents of sources and clients. Text and names are made well-formed (lone
 * surrogates replaced); `null` attributes are left out.
 */
export interface Documents {
  /** Returns the content, or undefined. */
  get(scope: string, name: string): Promise<DocumentContent | undefined>

  /** Creates or replaces a document. Durable. */
  set(scope: string, name: string, content: DocumentContent): Promise<void>

  /**
   * Appends in one atomic, durable step: text is concatenated, objects are merged by attribute (`null` removes one), a missing document is created.
   * `kind_differs`: the document has the other kind, and nothing was changed.
   */
  append(scope: string, name: string, content: DocumentContent): Promise<'appended' | 'kind_differs'>

  /** Lists names in order of their UTF-8 bytes, at most `limit` after `after`. */
  names(
    scope: string,
    page?: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<readonly string[]>

  /** Deletes a document. False if there was none. */
  delete(scope: string, name: string): Promise<boolean>

  /** Deletes all documents of a scope. */
  deleteScope(scope: string): Promise<void>
}
