import { hash, randomBytes } from 'node:crypto'

/** A new secret for a token or session: 256 random bits, 43 characters that need no escaping anywhere. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Names a credential for people, and has nothing to do with its secret. */
export const newPublicId = (): string => randomBytes(12).toString('base64url')

/** What is stored of a secret: it cannot be turned back, and needs no salt, as nobody can guess 256 random bits. 132 bits of the hash tell all apart, and are half the memory: a device's is kept for weeks, in several orders. */
export const storedForm = (secret: string): string => hash('sha256', secret, 'base64url').slice(0, 22)
