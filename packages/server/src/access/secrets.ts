import { hash, randomBytes } from 'node:crypto'

/** A new secret for a token or session: 256 random bits, 43 characters that need no escaping anywhere. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Names a credential for people, and has nothing to do with its secret. */
export const newPublicId = (): string => randomBytes(12).toString('base64url')

/**
 * The hash under which a secret is stored. It needs no salt, since 256 random bits cannot be guessed; its first 132 bits are kept, to halve the
 * memory of sessions that live for weeks.
 */
export const storedForm = (secret: string): string => hash('sha256', secret, 'base64url').slice(0, 22)
