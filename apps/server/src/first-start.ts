import { randomBytes } from 'node:crypto'
import { type SyncServerOptions, workingLogins } from '@godwit/server'
import type { Store } from '@godwit/store'
import type { Settings } from './config.js'
import { DEMO_PEOPLE } from './demo/people.js'

/** How the server gets its first admin and, in development, its demo users. */
export interface FirstStartPlan {
  /** For the server: it makes this admin if there is none, and these users in a store that begins. */
  readonly options: Pick<SyncServerOptions, 'admin' | 'users'>
  /** What the person at the terminal should know, once the server has started. */
  shown(): Promise<string>
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
    async shown() {
      const shown = adminPassword === undefined && admin !== undefined ? [passwordShown(admin)] : []
      return [...shown, ...(development ? await demoShown({ store, ...deciding }) : [])]
        .map(line => `${line}\n`)
        .join('')
    },
  }
}

const passwordShown = ({ login, password }: { readonly login: string; readonly password: string }): string =>
  `Admin login: ${login}, password: ${password} (made now and shown this once; SYNC_ADMIN_PASSWORD sets another in a new store)`

/** Those that work: another password may be set, or a backend decide. */
async function demoShown(checked: FirstStartContext & { readonly store: Store }): Promise<readonly string[]> {
  const logins = await workingLogins(checked, DEMO_PEOPLE)
  return logins.length === 0 ? [] : [`Demo logins for devices: ${logins.join(', ')} (the password is the login)`]
}
