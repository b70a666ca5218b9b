import { randomBytes } from 'node:crypto'
import { type SyncServerOptions, type WorkingLoginsOptions, workingLogins } from '@godwit/server'
import type { Store } from '@godwit/store'
import type { Settings } from './config.js'

/** The logins of the demo's device users. */
export const DEMO_LOGINS = ['ada', 'grace', 'linus'] as const

/** The password of each demo user is the login. */
const DEMO_PEOPLE = DEMO_LOGINS.map(login => ({ login, password: login }))

/** The first admin of a server and, in development, its demo users. */
export interface FirstStartPlan {
  /** Server options: the admin to create if there is none, and the users of a new store. */
  readonly options: Pick<SyncServerOptions, 'admin' | 'users'>
  /** A notice with the generated admin password, printed before the store has its hash, so that a crash between the two does not lose it. */
  readonly password: string
  /** Returns the demo logins that work, once the server has started. In production, they are left from a start in development. */
  demoLogins(): Promise<readonly string[]>
}

/** The options that decide on logins besides the passwords in the store. */
type FirstStartContext = Pick<SyncServerOptions, 'authenticate' | 'backend'>

type FirstStartSettings = Pick<Settings, 'adminLogin' | 'adminPassword' | 'development'>

/** Plans the first start, which is that of a store without users. A generated password is shown only now, since the store keeps only its hash. */
export async function firstStart(
  store: Store,
  { adminLogin: login, adminPassword, development }: FirstStartSettings,
  deciding: FirstStartContext = {},
): Promise<FirstStartPlan> {
  const isFirst = (await store.registry.count('user')) === 0
  const password = adminPassword ?? (isFirst ? randomBytes(18).toString('base64url') : undefined)
  const admin = password === undefined ? undefined : { login, password }
  return {
    options: { ...(admin && { admin }), users: development ? DEMO_PEOPLE : [] },
    password: adminPassword === undefined && admin !== undefined ? passwordLine(admin) : '',
    demoLogins: () => demoLoginsOf(store, deciding),
  }
}

/** Returns the demo logins that work. */
export const demoLoginsOf = (
  store: WorkingLoginsOptions['store'],
  deciding: FirstStartContext,
): Promise<readonly string[]> => workingLogins({ store, ...deciding }, DEMO_PEOPLE)

const passwordLine = ({ login, password }: { readonly login: string; readonly password: string }): string =>
  `Admin login: ${login}, password: ${password} (generated and shown only once; set SYNC_ADMIN_PASSWORD to choose one for a new store)\n`

/** The line about the demo logins that work: a password may have been changed, or a backend may decide. */
export const demoLine = (logins: readonly string[]): string =>
  logins.length === 0 ? '' : `Demo logins for devices: ${logins.join(', ')} (the password is the login)\n`
