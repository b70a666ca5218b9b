/** What is read of an answer; those of fetch are such. */
export type Answer = Pick<Response, 'ok' | 'status' | 'arrayBuffer' | 'json'> & {
  readonly headers: Pick<Headers, 'get'>
}

/** Sends a request, as fetch does. */
export type Ask<T extends Answer> = (url: string, request?: RequestInit) => Promise<T>
