import { type AdminLogin, type AdminToken, type ApiRole, SyncError } from '@godwit/protocol'
import type { ServerEngine } from '../engine.js'
import { giveCredential } from './credentials.js'
import { userOfPassword } from './user-of-password.js'

/** An API user logs in and gets a token. */
export async function logInAdmin(
  engine: Pick<ServerEngine, 'store' | 'clock' | 'limits' | 'passwords' | 'throttle'>,
  { login, password }: AdminLogin,
  address: string,
): Promise<AdminToken> {
  const user = await engine.throttle.attempt({ login, address }, 'api', async () => {
    const found = await userOfPassword(engine, { login, password })
    if (found.role !== 'device') return found
    throw new SyncError(
      'not_an_api_user',
      'This user has the role device and no API login: devices use /rc/v1/app/login.',
    )
  })
  const { secret, expiresAt } = await giveCredential(engine, user, 'token')
  return { token: secret, expires_at: new Date(expiresAt).toISOString(), login: user.login, role: user.role as ApiRole }
}
