import { SyncError } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import { createPasswords } from '../../accounts/access/passwords.js'
import { findUser } from '../../accounts/users/user-record.js'
import { updateUser } from '../../accounts/users/users.js'
import { DEFAULT_LIMITS } from '../../base/limits.js'
import { silentLog } from '../../base/log.js'
import { Auditor } from '../audit/auditor.js'

/** An admin whose password is lost. */
export interface AdminRecovery {
  readonly login: string
  readonly password: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * Sets the password of an admin in the store itself, beside servers that run on it: it unlocks the admin, ends all sessions and tokens of it, and is
 * recorded in the audit log, without a login. Throws `user_not_found` where there is no such admin.
 */
export async function recoverAdmin(store: Store, { login, password, at }: AdminRecovery): Promise<void> {
  const user = await findUser(store.registry, login)
  if (user?.role !== 'admin')
    throw new SyncError('user_not_found', `expected the login of an admin in this store, got ${JSON.stringify(login)}.`)
  const passwords = createPasswords(DEFAULT_LIMITS.passwordCost)
  await updateUser({ store, passwords }, login, { attributes: { password }, locked: false })
  await new Auditor({ store, log: silentLog }).record({
    time: new Date(at).toISOString(),
    login: null,
    role: null,
    action: 'store.password',
    about: { user_id: login },
    address: '',
    result: 'ok',
  })
}
