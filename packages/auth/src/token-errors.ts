import { isSyncError, SyncError } from '@godwit/protocol'

/** Converts an error of a verification into one that says what was expected of the token. It never contains the token. */
export function tokenError(cause: unknown): SyncError {
  if (isSyncError(cause)) return cause
  if (codeOf(cause) === 'ERR_JWT_EXPIRED')
    return new SyncError('token_expired', 'The token has expired. Get a new one from the identity provider.')
  return tokenInvalid(reasonOf(cause))
}

/** Returns the error for a token that is not accepted. */
export const tokenInvalid = (reason: string): SyncError =>
  new SyncError('token_invalid', `The token is not valid here: ${reason}.`)

function reasonOf(cause: unknown): string {
  switch (codeOf(cause)) {
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return `its claim ${String((cause as { readonly claim?: unknown }).claim)} does not fit`
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return 'its algorithm is not allowed'
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return 'its signature does not fit'
    case NO_MATCHING_KEY:
      return 'no key of the issuer fits it'
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return 'it names no key, and several of the issuer fit'
    default:
      return 'it is not a signed token that can be read'
  }
}

/** The code of jose for a token whose key is not among those that are known. */
export const NO_MATCHING_KEY = 'ERR_JWKS_NO_MATCHING_KEY'

/** Returns the code of an error of jose, which is not loaded to name its classes. */
export const codeOf = (cause: unknown): unknown =>
  cause instanceof Error ? (cause as { readonly code?: unknown }).code : undefined
