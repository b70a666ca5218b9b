/** The global `fetch`, or a compatible function. */
export type Fetch = (url: string, request: RequestInit) => Promise<Response>

/** The server and the caller's token. */
export interface ServerConnection {
  /** Without a trailing slash; may have a path if the server is mounted below one. */
  readonly url: string
  /** Absent before the login. */
  readonly token?: string
  readonly fetch: Fetch
}

/** Options of every method. */
export interface CallOptions {
  /** Aborts the request; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}
