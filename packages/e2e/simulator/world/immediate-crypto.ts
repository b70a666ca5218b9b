import { type ScryptOptions, scryptSync } from 'node:crypto'

export { randomBytes, timingSafeEqual } from 'node:crypto'

type Derived = (error: Error | null, key?: Buffer) => void

/** What stands in the place of Node's, where a server hashes passwords: nothing is left to threads, whose end nobody could foretell. */
export const scrypt = (password: string, salt: Buffer, length: number, options: ScryptOptions, told: Derived): void =>
  told(null, scryptSync(password, salt, length, options))
