import { createHash } from 'node:crypto'

/** Returns a short text that another state of a table does not share. */
export const fingerprintOf = (state: string): string =>
  createHash('sha256').update(state).digest('base64url').slice(0, 22)
