import { SyncError } from '@godwit/protocol'
import type { AccountsEngine } from '../accounts-engine.js'
import { checkNotLocked, findUser, type UserRecord } from '../users/user-record.js'

/** Login and password as sent by a device or an API user. */
export interface PasswordLogin {
  readonly login: string
  readonly password: string
}

/** Returns the user of this login and password. An unknown login takes as long and gets the same error as a wrong password. */
export async function userOfPassword(
  { store, passwords }: Pick<AccountsEngine, 'store' | 'passwords'>,
  { login, password }: PasswordLogin,
): Promise<UserRecord> {
  const user = await findUser(store.registry, login)
  const isRight = await passwords.verify(password, user?.passwordHash)
  if (!user || !isRight) throw invalidCredentials()
  checkNotLocked(user)
  return user
}

/** The same error for an unknown login and a wrong password. */
export const invalidCredentials = (): SyncError =>
  new SyncError('invalid_credentials', 'Login or password is wrong. Check both and log in again.')
