import { type AdminClient, isSyncError } from '@godwit/admin-client'

/** Who may log in on a device in the demo. Each password is the login. */
export const DEMO_LOGINS = ['ada', 'grace', 'linus'] as const

/** Makes the demo's users, as an administrator would. One that exists stays as it is. */
export async function addDemoPeople({ users }: Pick<AdminClient, 'users'>): Promise<void> {
  await Promise.all(
    DEMO_LOGINS.map(login =>
      users.create({ login, password: login }).catch((error: unknown) => {
        if (!isSyncError(error) || error.code !== 'user_exists') throw error
      }),
    ),
  )
}
