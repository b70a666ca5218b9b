import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'

/** The keys of a browser's subscription. */
export interface SubscriptionKeys {
  readonly ecdh: ECDH
  readonly auth: Buffer
}

const KEY_BYTES = 65
const TAG_BYTES = 16

/** Decrypts a message as a browser does: RFC 8291 with the one record of RFC 8188 that it allows. Throws if it is not for these keys. */
export function decryptWebPush(body: Buffer, { ecdh, auth }: SubscriptionKeys): string {
  const salt = body.subarray(0, 16)
  const length = body.readUInt8(20)
  if (length !== KEY_BYTES) throw new Error(`expected a key of ${KEY_BYTES} bytes, got ${length}`)
  const sender = body.subarray(21, 21 + length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
  const derive = (name: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), bytes))
  const record = body.subarray(21 + length)
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-TAG_BYTES))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some(byte => byte !== 0))
    throw new Error('expected the delimiter of the last record')
  return padded.subarray(0, end).toString()
}
