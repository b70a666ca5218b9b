/** The part of a response that is read; fetch responses fit. */
export type HttpAnswer = Pick<Response, 'ok' | 'status' | 'arrayBuffer' | 'json'> & {
  /** Whether the response came from another URL. */
  readonly redirected?: boolean
  readonly url?: string
  readonly headers: Pick<Headers, 'get'>
  /** Reads the body without a copy; missing in older browsers. */
  bytes?(): Promise<Uint8Array>
}

export const bytesOf = async (answer: HttpAnswer): Promise<Uint8Array> =>
  (await answer.bytes?.()) ?? new Uint8Array(await answer.arrayBuffer())

/** Sends a request, as fetch does. */
export type SendRequest<T extends HttpAnswer> = (url: string, request?: RequestInit) => Promise<T>

/** True for a web page, which the server never sends for files and events. */
export const isPage = ({ headers }: Pick<HttpAnswer, 'headers'>): boolean =>
  headers.get('content-type')?.startsWith('text/html') === true
