import { SyncError } from '@godwit/protocol'
import type { TokenVerifier } from '@godwit/source'
import type { AccountsEngine } from '../accounts-engine.js'
import { userOfIdentity } from '../users/user-of-identity.js'
import type { UserRecord } from '../users/user-record.js'
import { type IssuedCredential, issueCredential } from './credentials.js'
import { checkNotReplayed, recordExchange } from './exchanged-tokens.js'
import { storedForm } from './secrets.js'

type TokenLoginEngine = Pick<
  AccountsEngine,
  'store' | 'clock' | 'limits' | 'metrics' | 'randomId' | 'throttle' | 'acceptedLogins'
>

/** Milliseconds that a session lasts at least, for a token that is accepted within the tolerance of clocks. */
const SHORTEST = 30_000

/**
 * Exchanges a token of an identity provider for a session, which ends when the token does. Nothing is read from the store before the signature is
 * verified, so that invented tokens cost little.
 */
export async function logInByToken(
  engine: TokenLoginEngine,
  token: string,
  address: string,
): Promise<{ readonly user: UserRecord; readonly given: IssuedCredential }> {
  const { store, clock, throttle } = engine
  const verified = await verifierOf(engine, token).verify(token)
  const user = await throttle.attempt({ login: verified.login, address }, 'backend', async () => {
    await checkNotReplayed(store.registry, token)
    return userOfIdentity(engine, { verified, purpose: 'device', role: 'device' })
  })
  const until = Math.max(verified.expiresAt, clock() + SHORTEST)
  const given = await issueCredential(engine, user, { purpose: 'session', until })
  await recordExchange(store.registry, token, { session: storedForm(given.secret), until })
  return { user, given }
}

function verifierOf(
  { acceptedLogins: { tokens } }: Pick<AccountsEngine, 'acceptedLogins'>,
  token: string,
): TokenVerifier {
  const verifier = tokens.find(one => one.accepts(token))
  if (verifier) return verifier
  const message =
    tokens.length === 0
      ? 'This server accepts no tokens: configure auth, or log in with login and password.'
      : 'The token is not valid here: it is of no issuer that this server accepts.'
  throw new SyncError('token_invalid', message)
}
