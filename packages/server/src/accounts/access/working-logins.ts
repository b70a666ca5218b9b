import type { Registry } from '@godwit/store'
import { addressInUse } from '../../backend/sources/app-server.js'
import type { Authenticate } from '../../backend/sources/authenticate.js'
import type { BackendOptions } from '../../backend/sources/plugin-backend.js'
import { DEFAULT_LIMITS } from '../../base/limits.js'
import { findUser } from '../users/user-record.js'
import { createPasswords } from './passwords.js'
import type { PasswordLogin } from './user-of-password.js'

/** What decides whether logins work. */
export interface WorkingLoginsOptions {
  readonly authenticate?: Authenticate
  readonly backend?: BackendOptions
  readonly store: { readonly registry: Pick<Registry, 'get'> }
}

/**
 * Returns those of the logins that devices can use; none if `authenticate` or a plugin backend decides. Opens no session and does not count as an
 * attempt.
 */
export async function workingLogins(
  { store, authenticate, backend }: WorkingLoginsOptions,
  logins: readonly PasswordLogin[],
): Promise<readonly string[]> {
  if (authenticate !== undefined) return []
  if ((await addressInUse({ store }, backend)) !== null) return []
  const passwords = createPasswords(DEFAULT_LIMITS.passwordCost)
  const found = await Promise.all(
    logins.map(async ({ login, password }) => {
      const user = await findUser(store.registry, login)
      const works = user?.role === 'device' && (await passwords.verify(password, user.passwordHash))
      return works ? [login] : []
    }),
  )
  return found.flat()
}
