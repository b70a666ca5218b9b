import { createPublicKey, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What a push service compares a request with. */
export interface ExpectedRequest {
  /** The origin of the endpoint. */
  readonly origin: string
  /** The public VAPID key with which the browser subscribed, in base64url without padding. */
  readonly key: string
}

/** The answer to a request that is not what the protocol asks for. */
export interface RequestFlaw {
  readonly status: 400 | 401 | 403 | 413 | 415
  readonly reason: string
}

const DAY = 86_400

/** Returns what a push service refuses a request for: RFC 8030 (TTL, size), RFC 8291 (encoding), RFC 8292 (the signed token). */
export function flawOfWebPush(
  headers: IncomingHttpHeaders,
  size: number,
  { origin, key }: ExpectedRequest,
): RequestFlaw | undefined {
  if (!/^\d+$/.test(String(headers['ttl'] ?? ''))) return { status: 400, reason: 'no TTL' }
  if (size > 4096) return { status: 413, reason: `${size} bytes` }
  if (size > 0 && headers['content-encoding'] !== 'aes128gcm') return { status: 415, reason: 'not aes128gcm' }
  if (!/^[\w-]{1,32}$/.test(String(headers['topic'] ?? 'none')))
    return { status: 400, reason: 'a topic of another form' }
  const [, token = '', sender] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
  if (sender !== key) return { status: 403, reason: 'another VAPID key' }
  const [head = '', claims = '', signature = ''] = token.split('.')
  const signed = Buffer.from(`${head}.${claims}`)
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey(key), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return { status: 401, reason: 'a signature of another key' }
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const seconds = Number(exp) - Date.now() / 1000
  if (aud !== origin) return { status: 401, reason: `a token for ${aud}` }
  if (!(seconds > 0 && seconds <= DAY)) return { status: 401, reason: `a token that ends in ${seconds} s` }
  return /^(mailto:|https:)/.test(String(sub)) ? undefined : { status: 401, reason: 'no subject' }
}

function publicKey(key: string) {
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
}
