import { randomBytes } from 'node:crypto'
import { type SyncServerOptions, workingLogins } from '@godwit/server'
import type { Store } from '@godwit/store'
import type { Settings } from './config.js'

/** Who may log in on a device in the demo. */
export const DEMO_LOGINS = ['ada', 'grace', 'linus'] as const

/** Each password is the login. */
const DEMO_PEOPLE = DEMO_LOGINS.map(login => ({ login, password: login }))

/** How the server gets its first admin and, in development, its demo users. */
export interface FirstStartPlan {
  /** For the server: it makes this admin if there is none, and these users in a store that begins. */
  readonly options: Pick<SyncServerOptions, 'admin' | 'users'>
  /** The admin's password, where one was made up: written before the store has its hash, so that no end of the process between the two loses it. */
  readonly password: string
  /** The demo users' logins that work, once the server has started. */
  demoLogins(): Promise<string>
}

/** What decides on logins beside the passwords of the store. */
type FirstStartContext = Pick<SyncServerOptions, 'authenticate' | 'backend'>

type FirstStartSettings = Pick<Settings, 'adminLogin' | 'adminPassword' | 'development'>

/** A store without any user is one that starts for the first time. A password that is made up here is shown now and never again: the store keeps its hash. */
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
    demoLogins: async () => (development ? demoLine(await workingLogins({ store, ...deciding }, DEMO_PEOPLE)) : ''),
  }
}

const passwordLine = ({ login, password }: { readonly login: string; readonly password: string }): string =>
  `Admin login: ${login}, password: ${password} (made now and shown this once; SYNC_ADMIN_PASSWORD sets another in a new store)\n`

/** Of the logins that work: another password may be set, or a backend decide. */
const demoLine = (logins: readonly string[]): string =>
  logins.length === 0 ? '' : `Demo logins for devices: ${logins.join(', ')} (the password is the login)\n`
