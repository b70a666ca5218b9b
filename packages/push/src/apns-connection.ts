import http2 from 'node:http2'

/** A response of APNs. */
export interface ApnsResponse {
  readonly status: number
  readonly headers: http2.IncomingHttpHeaders
  readonly text: string
}

/** Milliseconds after which an idle connection is closed: networks drop longer idle ones without notice. */
const IDLE = 5 * 60_000

/** A connection to APNs, opened at the first request, shared by all, and opened again after the service closed it. */
export class ApnsConnection {
  readonly #origin: string
  readonly #ca: string | undefined
  #session: http2.ClientHttp2Session | undefined
  #open = 0

  constructor(origin: string, ca: string | undefined) {
    this.#origin = origin
    this.#ca = ca
  }

  /** Sends a request. One that APNs refused without processing it, because it closes the connection, is sent again on a new one. */
  async post(headers: http2.OutgoingHttpHeaders, body: string, signal: AbortSignal): Promise<ApnsResponse> {
    try {
      return await this.#request(headers, body, signal)
    } catch (error) {
      if (signal.aborted || !isUnprocessed(error)) throw error
      return await this.#request(headers, body, signal)
    }
  }

  /** Closes the connection after the open requests. */
  close(): void {
    this.#session?.close()
    this.#session = undefined
  }

  async #request(headers: http2.OutgoingHttpHeaders, body: string, signal: AbortSignal): Promise<ApnsResponse> {
    signal.throwIfAborted()
    const session = this.#connect()
    // Only open requests keep the process alive.
    if (this.#open++ === 0) session.ref()
    try {
      return await new Promise<ApnsResponse>((resolve, reject) => {
        const stream = session.request({ ':method': 'POST', ...headers }, { signal })
        stream.on('response', received => {
          const parts: Buffer[] = []
          stream.on('data', (part: Buffer) => parts.push(part))
          stream.on('end', () =>
            resolve({ status: received[':status'] ?? 0, headers: received, text: Buffer.concat(parts).toString() }),
          )
        })
        stream.on('error', reject)
        stream.on('close', () => reject(new Error('APNs closed the connection before it answered. Retry.')))
        stream.end(body)
      })
    } catch (error) {
      // A session that is about to close may look open.
      if (this.#session === session && isUnprocessed(error)) this.#session = undefined
      throw error
    } finally {
      if (--this.#open === 0 && !session.destroyed) session.unref()
    }
  }

  #connect(): http2.ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session
    const session = http2.connect(this.#origin, this.#ca === undefined ? {} : { ca: this.#ca })
    const forget = (): void => {
      if (this.#session === session) this.#session = undefined
    }
    // Requests in progress fail by themselves.
    session.on('error', forget)
    session.on('goaway', forget)
    session.on('close', forget)
    session.setTimeout(IDLE, () => session.close())
    this.#session = session
    return session
  }
}

const UNPROCESSED = ['ERR_HTTP2_INVALID_SESSION', 'ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_STREAM_CANCEL']

/** True for a request that reached no handler: its stream was refused, or its session was closing. */
function isUnprocessed(error: unknown): boolean {
  const { code = '', message = '' } = error as Partial<NodeJS.ErrnoException>
  return UNPROCESSED.includes(code) || message.includes('NGHTTP2_REFUSED_STREAM')
}
