/** A request as plain values, independent of a framework. */
export interface HttpRequest {
  readonly method: string
  /** The path as received: percent-encoded, without the query. */
  readonly path: string
  /** The text after the `?`, else ''. */
  readonly search: string
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** True if the request came over https. */
  readonly secure: boolean
  /**
   * The caller's address: that of the socket, or the one reported by a trusted proxy; '' without a socket. Read early, since a closed socket has
   * none.
   */
  readonly address: string
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** Reads the body. Throws `body_too_large` as soon as it exceeds the limit. */
  body(limit: number): Promise<Buffer>
}

/** A response to be sent by an edge. */
export interface HttpReply {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] }
  readonly body: string | AsyncIterable<string | Uint8Array>
  /** True if the body is sent unchanged: its length is known, and it is already compressed where useful. */
  readonly exact?: boolean
  /** Returns the gzipped body, cached for all requests. Absent: the body is compressed for each request. */
  readonly zip?: () => Promise<Buffer>
  /** Called once the response is sent, or its reader is gone. */
  readonly sent?: () => void
  /** For a response that stays open and uncompressed: aborted when its reader is dropped. */
  readonly cut?: AbortSignal
}
