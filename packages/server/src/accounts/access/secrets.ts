import { hash, randomBytes } from 'node:crypto'

/** Returns a secret for a token or session: 256 random bits as 43 URL-safe characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Returns an id under which a credential can be shown; it is independent of the secret. */
export const newPublicId = (): string => randomBytes(12).toString('base64url')

/**
 * Returns the hash under which a secret is stored. It needs no salt, since 256 random bits cannot be guessed; only 132 bits are stored, to halve the
 * memory of long-lived sessions.
 */
export const storedForm = (secret: string): string => hash('sha256', secret, 'base64url').slice(0, 22)
