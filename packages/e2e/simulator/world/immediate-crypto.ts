import { type ScryptOptions, scryptSync } from 'node:crypto'

export { randomBytes, timingSafeEqual } from 'node:crypto'

type DeriveCallback = (error: Error | null, key?: Buffer) => void

/** Replaces Node's module for a server's password hashing: nothing runs in threads, whose timing is not deterministic. */
export const scrypt = (
  password: string,
  salt: Buffer,
  length: number,
  options: ScryptOptions,
  told: DeriveCallback,
): void => told(null, scryptSync(password, salt, length, options))
