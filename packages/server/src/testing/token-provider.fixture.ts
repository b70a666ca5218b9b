import { SyncError } from '@godwit/protocol'
import type { ConsoleSignIn, TokenProvider, VerifiedUser } from '@godwit/source'

/** Returns a token of the provider below, which is its claims as text. */
export const tokenOf = (user: Partial<VerifiedUser> & { readonly iss?: string; readonly id?: number }): string =>
  JSON.stringify(user)

interface ProviderOptions {
  readonly issuer?: string
  readonly clock?: () => number
  readonly console?: ConsoleSignIn
}

/** A provider whose tokens are their users as JSON; they expire ten minutes after the time given, or after now. */
export function tokenProvider({
  issuer = 'https://one.test',
  clock = Date.now,
  console,
}: ProviderOptions = {}): TokenProvider {
  return {
    kind: 'tokens',
    issuer,
    open: () => ({
      issuer,
      accepts: token => token.startsWith('{') && (JSON.parse(token).iss ?? issuer) === issuer,
      async verify(token) {
        const { subject = 'u1', login = 'ada', attributes = {}, expiresAt = clock() + 600_000 } = JSON.parse(token)
        if (login === 'forged')
          throw new SyncError('token_invalid', 'The token is not valid here: its signature does not fit.')
        return { issuer, subject, login, attributes, expiresAt }
      },
      checkKeys: async () => 1,
      console,
    }),
  }
}
