import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message that FCM received: the body of `messages:send`. */
export interface ReceivedFcm {
  readonly validate_only?: boolean
  readonly message: { readonly token?: string; readonly topic?: string } & Record<string, unknown>
}

/** The FCM HTTP v1 API and the token endpoint of Google, on loopback. */
export interface FcmService {
  readonly origin: string
  /** The JSON text of a service account that this service knows. */
  readonly account: string
  /** Messages that were accepted, in the order of arrival. */
  readonly received: readonly ReceivedFcm[]
  /** The number of access tokens handed out. */
  readonly tokens: number
  /** Makes an address unregistered. */
  remove(token: string): void
  /** Makes all access tokens invalid. */
  revokeTokens(): void
  /** Answers the next message with this status instead. */
  answerNext(status: number, headers?: { readonly [name: string]: string }): void
  close(): Promise<void>
}

const PROJECT = 'field-visits'
const EMAIL = 'push@field-visits.iam.gserviceaccount.com'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Starts the service. It checks the signed assertion (RFC 7523), the access token, and the form of each message. */
export async function openFcmService(): Promise<FcmService> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const valid = new Set<string>()
  const gone = new Set<string>()
  const received: ReceivedFcm[] = []
  const answers: { readonly status: number; readonly headers: { readonly [name: string]: string } }[] = []
  let tokens = 0

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    const answer = (status: number, body: object, headers = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.url === '/token') {
      const flaw = flawOfGrant(new URLSearchParams(text))
      if (flaw !== undefined) return answer(400, { error: 'invalid_grant', error_description: flaw })
      const token = `access-${++tokens}`
      valid.add(token)
      return answer(200, { access_token: token, expires_in: 3600, token_type: 'Bearer' })
    }
    if (request.url !== `/v1/projects/${PROJECT}/messages:send`) return answer(404, problem(404, 'NOT_FOUND'))
    if (!valid.has((request.headers.authorization ?? '').replace('Bearer ', '')))
      return answer(401, problem(401, 'UNAUTHENTICATED'))
    const given = answers.shift()
    if (given) return answer(given.status, problem(given.status, 'UNAVAILABLE'), given.headers)
    const sent = JSON.parse(text) as ReceivedFcm
    const flaw = flawOfMessage(sent)
    if (flaw !== undefined) return answer(400, problem(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', flaw))
    if (gone.has(sent.message.token ?? '')) return answer(404, problem(404, 'NOT_FOUND', 'UNREGISTERED'))
    received.push(sent)
    answer(200, { name: `projects/${PROJECT}/messages/${received.length}` })
  }

  function flawOfGrant(form: URLSearchParams): string | undefined {
    if (form.get('grant_type') !== GRANT) return 'another grant'
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      Buffer.from(signature, 'base64url'),
    )
    if (!isSigned) return 'Invalid JWT Signature.'
    const { iss, aud, exp, iat, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
      string,
      unknown
    >
    if (iss !== EMAIL || aud !== `${origin}/token`) return 'another issuer or audience'
    if (Number(exp) - Number(iat) > 3600) return 'more than an hour'
    return String(scope).includes('firebase.messaging') ? undefined : 'another scope'
  }

  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    account: JSON.stringify({
      type: 'service_account',
      project_id: PROJECT,
      client_email: EMAIL,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `${origin}/token`,
    }),
    received,
    get tokens() {
      return tokens
    },
    remove: token => void gone.add(token),
    revokeTokens: () => valid.clear(),
    answerNext: (status, headers = {}) => void answers.push({ status, headers }),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const problem = (code: number, status: string, errorCode?: string, message = status): object => ({
  error: {
    code,
    status,
    message,
    details: errorCode
      ? [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }]
      : [{ '@type': 'type.googleapis.com/google.rpc.Help' }],
  },
})

/** Returns what FCM refuses: no single recipient, data that is not text, durations of another form, or more than 4,096 bytes. */
function flawOfMessage({ message }: ReceivedFcm): string | undefined {
  const {
    token,
    topic,
    data = {},
    notification = {},
    android = {},
  } = message as {
    readonly token?: string
    readonly topic?: string
    readonly data?: Record<string, unknown>
    readonly notification?: object
    readonly android?: {
      readonly ttl?: string
      readonly notification?: { readonly vibrate_timings?: readonly string[] }
    }
  }
  if ((token === undefined) === (topic === undefined)) return 'Recipient of the message is not set.'
  if (Object.values(data).some(value => typeof value !== 'string')) return 'Invalid value at message.data'
  const durations = [android.ttl ?? '0s', ...(android.notification?.vibrate_timings ?? [])]
  if (!durations.every(text => /^\d+(\.\d+)?s$/.test(text))) return 'Invalid duration'
  return JSON.stringify({ data, notification }).length > 4096 ? 'Message too big' : undefined
}
