import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ConcurrencyLimiter } from '../../base/concurrency-limiter.js'

/** Hashes and verifies passwords. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Without a hash (an unknown user) it takes as long and returns false, so that timing does not reveal which users exist. Callers limit
   * how many run at a time.
   */
  verify(password: string, hash: string | undefined): Promise<boolean>
  /** Returns the stored form of a hash from another system; undefined if it cannot be verified within the memory and time limits of a login. */
  adopt(hash: string): string | undefined
}

const BLOCK = 8
/** With N = 32,768 one derivation takes a single buffer of 32 MiB, which the allocator returns at once; of smaller ones it keeps several. */
const ROUNDS = 3
const LENGTH = 32
/** The signature of scrypt, so that a test can replace it. */
export type KeyDerivation = (password: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer>
const scryptOf: KeyDerivation = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/**
 * Runs scrypt off the main thread. At most two new passwords are hashed at once, since each takes tens of megabytes and a core; hashes carry their
 * parameters.
 */
export function createPasswords(cost: number, derive: KeyDerivation = scryptOf): Passwords {
  const twoAtOnce = new ConcurrencyLimiter(2)
  const deriveKey = (password: string, salt: Buffer, { n, r, p }: ScryptParameters): Promise<Buffer> =>
    derive(password, salt, LENGTH, { N: n, r, p, maxmem: 256 * n * r })
  const present = { n: cost, r: BLOCK, p: ROUNDS }
  return {
    async hash(password) {
      const salt = randomBytes(16)
      return hashText({ ...present, salt, key: await twoAtOnce.run(() => deriveKey(password, salt, present)) })
    },
    async verify(password, hash) {
      const known = hash === undefined ? undefined : parseHash(hash)
      const actual = await deriveKey(password, known?.salt ?? randomBytes(16), known ?? present)
      return known !== undefined && timingSafeEqual(actual, known.key)
    },
    adopt(hash) {
      const known = parseHash(hash) ?? parsePhcHash(hash)
      return known && isAffordable(known) ? hashText(known) : undefined
    },
  }
}

interface ScryptParameters {
  readonly n: number
  readonly r: number
  readonly p: number
}

interface StoredHash extends ScryptParameters {
  readonly salt: Buffer
  readonly key: Buffer
}

const hashText = ({ n, r, p, salt, key }: StoredHash): string =>
  ['scrypt', n, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')

function parseHash(hash: string): StoredHash | undefined {
  const [scheme, n, r, p, salt = '', key = ''] = hash.split('$')
  if (scheme !== 'scrypt') return undefined
  const bytes = Buffer.from(key, 'base64url')
  if (bytes.length !== LENGTH) return undefined
  return { n: Number(n), r: Number(r), p: Number(p), salt: Buffer.from(salt, 'base64url'), key: bytes }
}

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([\w+/.-]+={0,2})\$([\w+/.-]+={0,2})$/

/** Parses the PHC string format, which many libraries write. */
function parsePhcHash(hash: string): StoredHash | undefined {
  const [, ln = '', r, p, salt = '', key = ''] = PHC.exec(hash) ?? []
  const bytes = Buffer.from(key, 'base64')
  if (bytes.length !== LENGTH) return undefined
  return { n: 2 ** Number(ln), r: Number(r), p: Number(p), salt: Buffer.from(salt, 'base64'), key: bytes }
}

/** True if the hash needs at most 128 MiB, and at most a dozen times the work of a hash made here. */
function isAffordable({ n, r, p, salt }: StoredHash): boolean {
  const isWhole = [n, r, p].every(number => Number.isSafeInteger(number) && number >= 1)
  return (
    isWhole && n >= 2 && Number.isInteger(Math.log2(n)) && n * r <= 2 ** 20 && n * r * p <= 2 ** 23 && salt.length >= 8
  )
}
