import type { DocumentContent } from '@godwit/protocol'

/** Named values: what the REST API calls store documents and the custom documents of sources and clients. Text and names are made well-formed (lone surrogates replaced); `null` attributes are left out. */
export interface Documents {
  /** The content, or undefined. */
  get(scope: string, name: string): Promise<DocumentContent | undefined>

  /** Replaces or creates. Durable. */
  set(scope: string, name: string, content: DocumentContent): Promise<void>

  /**
   * Appends in one atomic, durable step: text is concatenated, objects are merged by attribute (`null` removes), a missing document is
   * created. `kind_differs`: it is of the other kind, nothing was changed.
   */
  append(scope: string, name: string, content: DocumentContent): Promise<'appended' | 'kind_differs'>

  /** Names in order of their UTF-8 bytes, at most `limit` after `after`. */
  names(
    scope: string,
    page?: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<readonly string[]>

  /** False: there was none. */
  delete(scope: string, name: string): Promise<boolean>

  /** All documents of a scope. */
  deleteScope(scope: string): Promise<void>
}
