import { createECDH } from 'node:crypto'
import { invalidOption } from './refused.js'

/** A key pair that identifies a server to push services (RFC 8292), in base64url. */
export interface VapidKeys {
  /** 65 bytes: pages subscribe with it. */
  readonly publicKey: string
  /** 32 bytes: a secret of the server. */
  readonly privateKey: string
}

const CURVE = 'prime256v1'
const KEY_BYTES = 32

/** Makes a key pair. Subscriptions are bound to it, so it is made once and kept. */
export function createVapidKeys(): VapidKeys {
  const ecdh = createECDH(CURVE)
  const publicKey = ecdh.generateKeys('base64url')
  const bytes = ecdh.getPrivateKey()
  // Node leaves out leading zeros.
  const privateKey = Buffer.concat([Buffer.alloc(KEY_BYTES - bytes.length), bytes]).toString('base64url')
  return { publicKey, privateKey }
}

/** Returns the public key of a private one. Throws `value_not_allowed` if it is none. */
export function publicKeyOf(privateKey: string): string {
  const bytes = Buffer.from(privateKey, 'base64url')
  try {
    if (bytes.length === KEY_BYTES) {
      const ecdh = createECDH(CURVE)
      ecdh.setPrivateKey(bytes)
      return ecdh.getPublicKey('base64url')
    }
  } catch {
    // Zero, or above the order of the curve.
  }
  throw invalidOption('webpush.privateKey', 'a VAPID key of 32 bytes in base64url', `${bytes.length} bytes`)
}
