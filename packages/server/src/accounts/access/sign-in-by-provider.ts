import { type ApiRole, SyncError } from '@godwit/protocol'
import type { ConsoleSignIn, SignInCallback, VerifiedUser } from '@godwit/source'
import type { AccountsEngine } from '../accounts-engine.js'
import { userOfIdentity } from '../users/user-of-identity.js'
import { findUser, type UserRecord } from '../users/user-record.js'
import { updateUser } from '../users/users.js'
import { type IssuedCredential, issueCredential, revokeAll } from './credentials.js'

type ProviderSignInEngine = Pick<
  AccountsEngine,
  'store' | 'clock' | 'limits' | 'metrics' | 'randomId' | 'passwords' | 'throttle'
>

/** The callback of a sign-in, and the remote address. */
export interface ProviderSignIn extends SignInCallback {
  readonly flow: ConsoleSignIn
  readonly address: string
}

/**
 * Signs in an operator of an identity provider to the console. The role follows the claims at each sign-in; claims without a role end the sessions that
 * the user has, and throw `not_an_api_user`.
 */
export async function signInByProvider(
  engine: ProviderSignInEngine,
  { flow, address, ...callback }: ProviderSignIn,
): Promise<{ readonly user: UserRecord; readonly given: IssuedCredential }> {
  const verified = await flow.finish(callback)
  const user = await engine.throttle.attempt({ login: verified.login, address }, 'backend', () =>
    operatorOf(engine, verified),
  )
  return { user, given: await issueCredential(engine, user, { purpose: 'console' }) }
}

async function operatorOf(
  engine: ProviderSignInEngine,
  verified: VerifiedUser & { readonly role: ApiRole | undefined },
): Promise<UserRecord> {
  const { registry } = engine.store
  const { role } = verified
  if (role === undefined) {
    await endFormerSessions(engine, verified)
    throw noRole()
  }
  const user = await userOfIdentity(engine, { verified, purpose: 'console', role })
  if (user.role === role) return user
  await updateUser(engine, user.login, { role })
  return (await findUser(registry, user.login)) ?? user
}

/** Ends what an operator still has who no longer has a role at the provider. */
async function endFormerSessions(engine: ProviderSignInEngine, verified: VerifiedUser): Promise<void> {
  const user = await findUser(engine.store.registry, verified.login)
  if (user === undefined || user.role === 'device' || user.identity === undefined) return
  const same = await userOfIdentity(engine, { verified, purpose: 'console', role: user.role }).catch(() => undefined)
  if (same !== undefined) await revokeAll(engine, same.login)
}

const noRole = (): SyncError =>
  new SyncError('not_an_api_user', 'The identity provider gives this user no role of the console. Ask an admin.')
