import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type Http2Session, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** A notification that APNs received. */
export interface ReceivedApns {
  readonly device: string
  readonly headers: IncomingHttpHeaders
  readonly payload: { readonly aps: Record<string, unknown> } & Record<string, unknown>
}

/** The Apple Push Notification service over HTTP/2, on loopback without TLS. */
export interface ApnsService {
  readonly origin: string
  /** What a server needs to send: the key's text, its id, the team and the app. */
  readonly options: { readonly key: string; readonly keyId: string; readonly teamId: string; readonly topic: string }
  /** Notifications that were accepted, in the order of arrival. */
  readonly received: readonly ReceivedApns[]
  /** The number of connections so far. */
  readonly connections: number
  /** The different tokens that were used. */
  readonly tokens: ReadonlySet<string>
  /** Makes an address unregistered. */
  remove(device: string): void
  /** Answers the next notification with this status and reason instead. */
  answerNext(status: number, reason: string, headers?: { readonly [name: string]: string }): void
  /** Closes all connections, as the service does at times: those sent meanwhile go unanswered. */
  goAway(): void
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly reason: string
  readonly headers: { readonly [name: string]: string }
}

const KEY_ID = 'ABC123DEFG'
const TEAM_ID = 'DEF123GHIJ'
const TOPIC = 'org.example.visits'

/** Starts the service. It checks the provider token (ES256), the headers, and the form of each payload. */
export async function openApnsService(): Promise<ApnsService> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const gone = new Set<string>()
  const tokens = new Set<string>()
  const received: ReceivedApns[] = []
  const answers: Answer[] = []
  const sessions = new Set<Http2Session>()
  let connections = 0

  const flawOfToken = (token: string): string | undefined => {
    const [head = '', claims = '', signature = ''] = token.split('.')
    if (head === '') return 'MissingProviderToken'
    const { alg, kid } = parse(head)
    const { iss, iat } = parse(claims)
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    const signed = Buffer.from(`${head}.${claims}`)
    const isSigned = verify('sha256', signed, key, Buffer.from(signature, 'base64url'))
    if (alg !== 'ES256' || kid !== KEY_ID || iss !== TEAM_ID || typeof iat !== 'number' || !isSigned)
      return 'InvalidProviderToken'
    return undefined
  }

  const verdictOf = (headers: IncomingHttpHeaders, text: string): Answer => {
    const refused = (status: number, reason: string): Answer => ({ status, reason, headers: {} })
    const token = String(headers['authorization'] ?? '').replace(/^bearer /, '')
    const flaw = flawOfToken(token)
    if (flaw !== undefined) return refused(403, flaw)
    tokens.add(token)
    const given = answers.shift()
    if (given) return given
    if (headers['apns-topic'] !== TOPIC) return refused(400, 'DeviceTokenNotForTopic')
    if (Buffer.byteLength(text) > 4096) return refused(413, 'PayloadTooLarge')
    const device = String(headers[':path']).replace('/3/device/', '')
    if (!/^[0-9a-f]{64}$/.test(device) || /^0+$/.test(device)) return refused(400, 'BadDeviceToken')
    if (gone.has(device)) return refused(410, 'Unregistered')
    const payload = JSON.parse(text) as ReceivedApns['payload']
    const isBackground = headers['apns-push-type'] === 'background'
    const shows = ['alert', 'badge', 'sound'].some(name => name in payload.aps)
    if (isBackground && headers['apns-priority'] !== '5') return refused(400, 'BadPriority')
    if (isBackground === shows) return refused(400, 'InvalidPushType')
    received.push({ device, headers, payload })
    return { status: 200, reason: '', headers: {} }
  }

  async function take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    stream.on('error', () => {})
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    const { status, reason, headers: more } = verdictOf(headers, Buffer.concat(parts).toString())
    if (stream.destroyed) return
    stream.respond({ ':status': status, 'apns-id': String(received.length), ...more })
    stream.end(reason && JSON.stringify({ reason }))
  }

  const server = createServer()
  server.on('session', session => {
    connections++
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  server.on('stream', (stream, headers) => void take(stream, headers).catch(() => {}))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    options: {
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      keyId: KEY_ID,
      teamId: TEAM_ID,
      topic: TOPIC,
    },
    received,
    tokens,
    get connections() {
      return connections
    },
    remove: device => void gone.add(device),
    answerNext: (status, reason, headers = {}) => void answers.push({ status, reason, headers }),
    goAway() {
      for (const session of sessions) session.destroy()
    },
    async close() {
      for (const session of sessions) session.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const parse = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
