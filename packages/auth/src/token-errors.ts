import { isSyncError, SyncError } from '@godwit/protocol'
import { errors } from 'jose'

/** Converts an error of a verification into one that says what was expected of the token. It never contains the token. */
export function tokenError(cause: unknown): SyncError {
  if (isSyncError(cause)) return cause
  if (cause instanceof errors.JWTExpired)
    return new SyncError('token_expired', 'The token has expired. Get a new one from the identity provider.')
  return tokenInvalid(reasonOf(cause))
}

/** Returns the error for a token that is not accepted. */
export const tokenInvalid = (reason: string): SyncError =>
  new SyncError('token_invalid', `The token is not valid here: ${reason}.`)

function reasonOf(cause: unknown): string {
  if (cause instanceof errors.JWTClaimValidationFailed) return `its claim ${cause.claim} does not fit`
  if (cause instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not allowed'
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'its signature does not fit'
  if (cause instanceof errors.JWKSNoMatchingKey) return 'no key of the issuer fits it'
  if (cause instanceof errors.JWKSMultipleMatchingKeys) return 'it names no key, and several of the issuer fit'
  return 'it is not a signed token that can be read'
}
