import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Signs tokens with a key that lives as long as the process. */
export interface TokenSigner {
  /** The public keys, as a JSON Web Key Set. */
  readonly keys: object
  sign(claims: object): string
}

export function createTokenSigner(): TokenSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomBytes(8).toString('base64url')
  const head = encoded({ alg: 'ES256', kid, typ: 'JWT' })
  return {
    keys: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] },
    sign(claims) {
      const content = `${head}.${encoded(claims)}`
      const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${content}.${signature.toString('base64url')}`
    },
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
