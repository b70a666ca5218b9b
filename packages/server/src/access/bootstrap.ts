import { isSyncError, SyncError } from '@godwit/protocol'
import type { ServerEngine } from '../engine.js'
import { createUser } from '../users/create-users.js'
import { findUser } from '../users/user-record.js'
import { listUsers } from '../users/users.js'

type BootstrapEngine = Pick<
  ServerEngine,
  'store' | 'passwords' | 'clock' | 'randomId' | 'authenticate' | 'backend' | 'log'
>

/** Makes the admin of the options when no admin exists; several processes may start at once. */
export async function bootstrap(
  engine: BootstrapEngine,
  admin: { readonly login: string; readonly password: string } | undefined,
): Promise<void> {
  if (admin === undefined || (await hasAdmin(engine, admin.login))) return
  try {
    await createUser(engine, { attributes: { login: admin.login, password: admin.password }, role: 'admin' })
    engine.log.info({ login: admin.login }, 'the first admin was made')
  } catch (error) {
    if (!isSyncError(error) || error.code !== 'user_exists') throw error
    if (await hasAdmin(engine, admin.login)) return
    const message = `No admin exists, and ${JSON.stringify(admin.login)} is a user of another role: name another login for the admin.`
    throw new SyncError('user_exists', message, { cause: error })
  }
}

async function hasAdmin(engine: BootstrapEngine, likely: string): Promise<boolean> {
  const user = await findUser(engine.store.registry, likely)
  return user?.role === 'admin' || (await listUsers(engine, { role: 'admin', limit: 1 })).length > 0
}
