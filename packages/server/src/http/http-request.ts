/** A request as an edge hands it over: plain values, nothing of a framework. */
export interface HttpRequest {
  readonly method: string
  /** As it came: percent-encoded, without the query. */
  readonly path: string
  /** What stands after the `?`, else ''. */
  readonly search: string
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** It came over https. */
  readonly secure: boolean
  /** The caller's address: that of the socket, or what a trusted proxy reports; '' without a socket. Read early, as a closed socket has none. */
  readonly address: string
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal
  /** Reads the body; throws `body_too_large` as soon as it has more bytes than the limit. */
  body(limit: number): Promise<Buffer>
}

/** An answer as an edge sends it. */
export interface HttpReply {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] }
  readonly body: string | AsyncIterable<string | Uint8Array>
  /** It goes out as it is: its bytes are counted, and compressed already where that helps. */
  readonly exact?: boolean
  /** The body in gzip, made once for all who ask for it. Absent: it is compressed for each. */
  readonly zip?: () => Promise<Buffer>
  /** Of an answer that stays open and goes out uncompressed: aborted when its reader is given up. */
  readonly cut?: AbortSignal
}
