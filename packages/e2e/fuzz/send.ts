import { Agent, request } from 'node:http'

/** A request as it goes out. */
export interface RawRequest {
  readonly method: string
  /** Percent-encoded, with the query. */
  readonly address: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | Buffer
}

export interface RawAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly body: Buffer
}

/** Sends requests one after the other, over connections that are kept. */
export class Sender {
  readonly #url: URL
  readonly #agent = new Agent({ keepAlive: true })

  constructor(url: string) {
    this.#url = new URL(url)
  }

  /** Of a stream of events only the beginning is awaited. */
  send({ method, address, headers, body }: RawRequest): Promise<RawAnswer> {
    const { hostname, port } = this.#url
    // Without it, the body of a GET would be taken for the next request.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    return new Promise((resolve, reject) => {
      const asking = request(
        { hostname, port, method, path: address, headers: { ...headers, ...length }, agent: this.#agent },
        answer => {
          const { statusCode: status = 0, headers } = answer
          if (headers['content-type']?.startsWith('text/event-stream')) {
            resolve({ status, headers, body: Buffer.alloc(0) })
            return void asking.destroy()
          }
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () => resolve({ status, headers, body: Buffer.concat(parts) }))
          answer.on('error', reject)
        },
      )
      asking.on('error', reject)
      asking.setTimeout(20_000, () => asking.destroy(new Error('there was no answer within 20 s')))
      asking.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
