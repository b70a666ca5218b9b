/** What is read of an answer; those of fetch are such. */
export type HttpAnswer = Pick<Response, 'ok' | 'status' | 'arrayBuffer' | 'json'> & {
  /** Where the answer came from, if it was asked for elsewhere. */
  readonly redirected?: boolean
  readonly url?: string
  readonly headers: Pick<Headers, 'get'>
  /** Without a copy; older browsers have none. */
  bytes?(): Promise<Uint8Array>
}

export const bytesOf = async (answer: HttpAnswer): Promise<Uint8Array> =>
  (await answer.bytes?.()) ?? new Uint8Array(await answer.arrayBuffer())

/** Sends a request, as fetch does. */
export type SendRequest<T extends HttpAnswer> = (url: string, request?: RequestInit) => Promise<T>

/** A web page: files and events of the server never are one. */
export const isPage = ({ headers }: Pick<HttpAnswer, 'headers'>): boolean =>
  headers.get('content-type')?.startsWith('text/html') === true
