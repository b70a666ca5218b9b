/**
 * Sends a request to an address that somebody else chose: an identity provider or a device. Only allowed addresses are connected to, and redirects are
 * not followed. Rejects with `url_not_allowed` for an address that is not allowed, and without a complete response.
 */
export type GuardedFetch = (url: string, request: GuardedRequest) => Promise<GuardedResponse>

/** A request that a `GuardedFetch` sends. */
export interface GuardedRequest {
  /** Default: `POST` with a body, else `GET`. */
  readonly method?: 'GET' | 'POST'
  readonly headers?: { readonly [name: string]: string }
  readonly body?: Uint8Array | string
  /** The most bytes of the response; a longer one is an error. Default 64 KiB. */
  readonly maxBytes?: number
  readonly signal: AbortSignal
}

/** A complete response, whatever its status. */
export interface GuardedResponse {
  readonly status: number
  /** By name in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}
