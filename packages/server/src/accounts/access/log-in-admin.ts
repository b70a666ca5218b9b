import { type AdminLogin, type AdminSession, type AdminToken, type ApiRole, SyncError } from '@godwit/protocol'
import type { AccountsEngine } from '../accounts-engine.js'
import type { UserRecord } from '../users/user-record.js'
import { type IssuedCredential, issueCredential } from './credentials.js'
import { userOfPassword } from './user-of-password.js'

type AdminLoginEngine = Pick<AccountsEngine, 'store' | 'clock' | 'limits' | 'metrics' | 'passwords' | 'throttle'>

/** Logs in an API user and returns a token. */
export async function logInAdmin(engine: AdminLoginEngine, given: AdminLogin, address: string): Promise<AdminToken> {
  const user = await apiUser(engine, given, address)
  const token = await issueCredential(engine, user, { purpose: 'token' })
  return { token: token.secret, ...sessionOf(user, token) }
}

/** Logs in a console page, whose cookie carries the secret. */
export async function signIn(
  engine: AdminLoginEngine,
  given: AdminLogin,
  address: string,
): Promise<{ readonly secret: string; readonly expiresAt: number; readonly session: AdminSession }> {
  const user = await apiUser(engine, given, address)
  const { secret, expiresAt } = await issueCredential(engine, user, { purpose: 'console' })
  return { secret, expiresAt, session: sessionOf(user, { expiresAt }) }
}

const apiUser = (engine: AdminLoginEngine, { login, password }: AdminLogin, address: string): Promise<UserRecord> =>
  engine.throttle.attempt({ login, address }, 'api', async () => {
    const found = await userOfPassword(engine, { login, password })
    if (found.role !== 'device') return found
    throw new SyncError(
      'not_an_api_user',
      'expected a user with an API role, got one with the role device. Devices log in with POST /rc/v1/app/login.',
    )
  })

const sessionOf = ({ login, role }: UserRecord, { expiresAt }: Pick<IssuedCredential, 'expiresAt'>) => ({
  expires_at: new Date(expiresAt).toISOString(),
  login,
  role: role as ApiRole,
})
