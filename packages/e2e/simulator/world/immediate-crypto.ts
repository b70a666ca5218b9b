import { type ScryptOptions, scryptSync } from 'node:crypto'

export { randomBytes, timingSafeEqual } from 'node:crypto'

type DeriveCallback = (error: Error | null, key?: Buffer) => void

/** Replaces Node's module where a server hashes passwords: no work goes to threads, whose end cannot be foretold. */
export const scrypt = (
  password: string,
  salt: Buffer,
  length: number,
  options: ScryptOptions,
  told: DeriveCallback,
): void => told(null, scryptSync(password, salt, length, options))
