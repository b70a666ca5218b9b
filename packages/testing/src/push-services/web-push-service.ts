import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SelfSigned } from '../self-signed.js'
import { flawOfWebPush } from './check-web-push.js'
import { decryptWebPush } from './decrypt-web-push.js'

/** A subscription as `PushSubscription.toJSON` gives it. */
export interface SubscriptionJson {
  readonly endpoint: string
  readonly expirationTime: null
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A request that a push service received. */
export interface ReceivedPush {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly status: number
}

/** A push service on loopback with https, which checks each request as the RFCs ask. */
export interface WebPushService {
  readonly origin: string
  /** Every request, in the order of arrival. */
  readonly received: readonly ReceivedPush[]
  /** Adds an endpoint of a browser that subscribed with this VAPID key. Returns its URL. */
  addEndpoint(key: string, deliver: (body: Buffer) => void | Promise<void>): string
  /** Adds an endpoint whose messages are decrypted here, for browsers without a push service of ours. */
  subscribe(key: string, deliver: (text: string) => void | Promise<void>): SubscriptionJson
  /** Makes an endpoint gone. */
  remove(endpoint: string): void
  /** Answers the next request with this status instead. */
  answerNext(status: number, headers?: { readonly [name: string]: string }): void
  close(): Promise<void>
}

interface Endpoint {
  readonly key: string
  readonly deliver: (body: Buffer) => void | Promise<void>
}

/** Starts a push service. */
export async function openWebPushService(tls: SelfSigned): Promise<WebPushService> {
  const endpoints = new Map<string, Endpoint>()
  const received: ReceivedPush[] = []
  const answers: { readonly status: number; readonly headers: { readonly [name: string]: string } }[] = []

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const path = request.url ?? '/'
    const answer = (status: number, text = '', headers: { readonly [name: string]: string } = {}): void => {
      received.push({ path, headers: request.headers, body, status })
      response.writeHead(status, headers).end(text)
    }
    const given = answers.shift()
    if (given) return answer(given.status, '', given.headers)
    const endpoint = endpoints.get(path)
    if (!endpoint) return answer(410)
    const flaw = flawOfWebPush(request.headers, body.length, { origin, key: endpoint.key })
    if (flaw) return answer(flaw.status, flaw.reason)
    await endpoint.deliver(body)
    answer(201, '', { location: `${origin}/message/${randomUUID()}` })
  }

  const server = createServer({ key: tls.key, cert: tls.cert }, (request, response) => void take(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`

  function addEndpoint(key: string, deliver: Endpoint['deliver']): string {
    const path = `/push/${randomUUID()}`
    endpoints.set(path, { key: key.replaceAll('=', ''), deliver })
    return origin + path
  }

  return {
    origin,
    received,
    addEndpoint,
    subscribe(key, deliver) {
      const ecdh = createECDH('prime256v1')
      const auth = randomBytes(16)
      const p256dh = ecdh.generateKeys('base64url')
      const endpoint = addEndpoint(key, body => deliver(decryptWebPush(body, { ecdh, auth })))
      return { endpoint, expirationTime: null, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    remove: endpoint => void endpoints.delete(new URL(endpoint).pathname),
    answerNext: (status, headers = {}) => void answers.push({ status, headers }),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
