import { type ScryptOptions, scryptSync } from 'node:crypto'

export { randomBytes, timingSafeEqual } from 'node:crypto'

type DeriveCallback = (error: Error | null, key?: Buffer) => void

/** Replaces Node's `crypto` for the server's password hashing by synchronous code, because threads would make histories nondeterministic. */
export const scrypt = (
  password: string,
  salt: Buffer,
  length: number,
  options: ScryptOptions,
  reported: DeriveCallback,
): void => reported(null, scryptSync(password, salt, length, options))
