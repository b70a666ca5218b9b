/** How the client asks: the global `fetch`, or anything that behaves like it. */
export type Fetch = (url: string, request: RequestInit) => Promise<Response>

/** Where the server is and who asks. */
export interface ServerConnection {
  /** Without a slash at its end; may have a path when the server is mounted below one. */
  readonly url: string
  /** Absent before the login. */
  readonly token?: string
  readonly fetch: Fetch
}

/** What every method takes beside its values. */
export interface CallOptions {
  /** Aborts the request; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}
