import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebPushService } from '@godwit/testing'
import { type WebSocket, WebSocketServer } from 'ws'

/** The side of a push service to which Firefox connects: `dom.push.serverURL`. */
export interface FirefoxPushService {
  /** A WebSocket URL. */
  readonly url: string
  /** Codes with which browsers acknowledged messages: 100 for one that was decrypted. */
  readonly acknowledged: readonly number[]
  close(): Promise<void>
}

/** The preferences with which an automated Firefox receives push messages, beside `dom.push.serverURL`. */
export const FIREFOX_PUSH = {
  'dom.push.testing.allowInsecureServerURL': true,
  // The automation switches it off.
  'dom.push.connection.enabled': true,
  'permissions.default.desktop-notification': 1,
  // Without a desktop, notifications are shown by the browser itself.
  'alerts.useSystemBackend': false,
} as const

interface Subscriber {
  readonly id: string
  socket: WebSocket
  /** Messages that were not acknowledged, by version. */
  readonly stored: Map<string, object>
}

interface BrowserMessage {
  readonly messageType?: string
  readonly uaid?: string
  readonly channelID?: string
  readonly key?: string
  readonly updates?: readonly { readonly version: string; readonly code: number }[]
}

/** Starts it. Endpoints are those of the push service, which checks what servers send. A message is kept until it is acknowledged. */
export async function openFirefoxPushService(
  service: Pick<WebPushService, 'addEndpoint' | 'remove'>,
): Promise<FirefoxPushService> {
  const subscribers = new Map<string, Subscriber>()
  const endpoints = new Map<string, string>()
  const acknowledged: number[] = []

  function register({ channelID = '', key = '' }: BrowserMessage, subscriber: Subscriber): void {
    const endpoint = service.addEndpoint(key, body => {
      const version = randomUUID()
      const content = { data: body.toString('base64url'), headers: { encoding: 'aes128gcm' } }
      const message = { messageType: 'notification', channelID, version, ...(body.length > 0 && content) }
      subscriber.stored.set(version, message)
      send(subscriber.socket, message)
    })
    endpoints.set(channelID, endpoint)
    send(subscriber.socket, { messageType: 'register', status: 200, channelID, pushEndpoint: endpoint })
  }

  function serve(socket: WebSocket): void {
    let subscriber: Subscriber = { id: randomUUID(), socket, stored: new Map() }
    socket.on('message', raw => {
      const message = JSON.parse(String(raw)) as BrowserMessage
      const { messageType, channelID = '' } = message
      if (messageType === undefined) send(socket, {})
      if (messageType === 'hello') {
        subscriber = subscribers.get(message.uaid ?? '') ?? subscriber
        subscriber.socket = socket
        subscribers.set(subscriber.id, subscriber)
        send(socket, { messageType, status: 200, uaid: subscriber.id, use_webpush: true, broadcasts: {} })
        for (const stored of subscriber.stored.values()) send(socket, stored)
      }
      if (messageType === 'register') register(message, subscriber)
      if (messageType === 'unregister') {
        service.remove(endpoints.get(channelID) ?? 'https://none.invalid/')
        send(socket, { messageType, status: 200, channelID })
      }
      if (messageType === 'ack')
        for (const { version, code } of message.updates ?? []) {
          subscriber.stored.delete(version)
          acknowledged.push(code)
        }
    })
  }

  const http = createServer((_request, response) => response.writeHead(404).end())
  new WebSocketServer({ server: http }).on('connection', serve)
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    acknowledged,
    async close() {
      for (const { socket } of subscribers.values()) socket.terminate()
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
}

const send = (socket: WebSocket, message: object): void => {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}
