/** What a signature of a call to an HTTP backend covers. */
export interface SignedCall {
  /** The secret that server and backend share. */
  readonly secret: string
  /** The body, exactly as it was sent. */
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** A received call with its signature. */
export interface ReceivedCall extends SignedCall {
  /** The value of the header `X-Sync-SIGNATURE`; undefined or null if it is missing. */
  readonly signature: string | null | undefined
  /** The present time in milliseconds since 1970. */
  readonly now: number
  /** How far the time of the signature may be from `now`, in seconds. Default 300. */
  readonly tolerance?: number
}

const utf8 = new TextEncoder()

/** Resolves to the value of `X-Sync-SIGNATURE`: `t=<Unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>" in hexadecimal>`. */
export async function signCall({ secret, body, time }: SignedCall & { readonly time: number }): Promise<string> {
  const key = await keyOf(secret, 'sign')
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, signedBytes(time, body)))
  return `t=${time},v1=${Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')}`
}

/**
 * Resolves to undefined if a call is signed with the secret and its time is near; otherwise to what is wrong with it, for the answer 401. The
 * digests are compared in constant time.
 */
export async function signatureFlaw(call: ReceivedCall): Promise<string | undefined> {
  const { secret, body, signature, now, tolerance = 300 } = call
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '')
  if (match === null)
    return 'expected the header X-Sync-SIGNATURE: t=<seconds>,v1=<64 hexadecimal digits>, got none like it'
  const [, time = '', digits = ''] = match
  const digest = Uint8Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  const key = await keyOf(secret, 'verify')
  if (!(await crypto.subtle.verify('HMAC', key, digest, signedBytes(Number(time), body))))
    return 'expected a signature made with the shared secret over the body, got another one'
  const off = Math.round(Math.abs(now / 1000 - Number(time)))
  return off > tolerance
    ? `expected a signature made within ${tolerance} seconds, got one ${off} seconds off`
    : undefined
}

const keyOf = (secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [usage])

function signedBytes(time: number, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = utf8.encode(`${time}.`)
  const tail = typeof body === 'string' ? utf8.encode(body) : body
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}
