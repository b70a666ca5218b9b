import { SyncError } from '@godwit/protocol'
import type { AuthProvider, ProviderTools, TokenProvider, TokenVerifier } from '@godwit/source'

/** What the server accepts at the login of a device. */
export interface AcceptedLogins {
  /** Whether passwords are accepted. */
  readonly passwords: boolean
  /** Verifiers of tokens, one for each issuer. */
  readonly tokens: readonly TokenVerifier[]
}

/** Opens the providers of the `auth` option. Throws `value_not_allowed` for anything else, and for two providers of one issuer. */
export function acceptedLogins(auth: readonly AuthProvider[] | undefined, tools: ProviderTools): AcceptedLogins {
  if (auth === undefined) return { passwords: true, tokens: [] }
  if (!Array.isArray(auth) || auth.length === 0 || !auth.every(isProvider))
    throw new SyncError(
      'value_not_allowed',
      'auth: expected an array of passwords(), oidc(…) and jwt(…), got another value.',
    )
  const tokens = auth.filter((one): one is TokenProvider => one.kind === 'tokens')
  const issuers = tokens.map(({ issuer }) => issuer)
  const twice = issuers.find((issuer, index) => issuers.indexOf(issuer) !== index)
  if (twice !== undefined)
    throw new SyncError(
      'value_not_allowed',
      `auth: expected one provider for each issuer, got two for ${twice}. Give one of them both audiences.`,
    )
  return { passwords: auth.some(({ kind }) => kind === 'passwords'), tokens: tokens.map(one => one.open(tools)) }
}

const isProvider = (value: unknown): value is AuthProvider =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'passwords' || (value.kind === 'tokens' && 'open' in value && typeof value.open === 'function'))
