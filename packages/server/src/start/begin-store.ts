import { isSyncError, SyncError } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { createUser } from '../accounts/users/create-users.js'
import { findUser } from '../accounts/users/user-record.js'
import { listUsers } from '../accounts/users/users.js'
import { issueLicense } from '../admin/operations/license.js'
import { ownSecret } from '../backend/sources/backend-secret.js'
import type { HttpEngine } from '../http/http-engine.js'
import type { SyncServerOptions } from './options.js'

type BeginEngine = Pick<
  HttpEngine,
  | 'store'
  | 'sources'
  | 'passwords'
  | 'clock'
  | 'randomId'
  | 'authenticate'
  | 'backend'
  | 'acceptedLogins'
  | 'log'
  | 'storeHealth'
>

/** Creates what a server needs in its store: the admin, a secret for a backend and, in a new store, the first users. May be repeated. */
export async function beginStore(
  engine: BeginEngine,
  { admin, users = [] }: Pick<SyncServerOptions, 'admin' | 'users'>,
): Promise<void> {
  const isNew = await issueLicense(engine)
  await beginPassThrough(engine)
  if (engine.backend.hasOwnSecret) await ownSecret(engine)
  await bootstrap(engine, admin)
  // At once: hashing a password takes a core for a tenth of a second and more.
  if (isNew) await Promise.all(users.map(({ login, password }) => createMissing(engine, login, password)))
  engine.storeHealth.expect()
}

async function createMissing(engine: BeginEngine, login: string, password: string): Promise<void> {
  try {
    await createUser(engine, { attributes: { login, password } })
  } catch (error) {
    if (!isSyncError(error) || error.code !== 'user_exists') throw error
  }
}

type BootstrapEngine = Pick<
  HttpEngine,
  'store' | 'passwords' | 'clock' | 'randomId' | 'authenticate' | 'backend' | 'acceptedLogins' | 'log'
>

/** Creates the configured admin if no admin exists; several processes may start at once. */
async function bootstrap(
  engine: BootstrapEngine,
  admin: { readonly login: string; readonly password: string } | undefined,
): Promise<void> {
  if (admin === undefined || (await hasAdmin(engine, admin.login))) return
  try {
    await createUser(engine, { attributes: { login: admin.login, password: admin.password }, role: 'admin' })
    engine.log.info({ login: admin.login }, 'the first admin was created')
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

const RECORD = 'passing_sources'
const PAGE = 500

/**
 * Drops the collections of sources that became pass-through or no longer are, since their contents are of the other kind. Devices start over, and
 * send unsent changes again.
 */
async function beginPassThrough({ store, sources, log }: Pick<HttpEngine, 'store' | 'sources' | 'log'>): Promise<void> {
  const { registry, collections } = store
  const record = await registry.get('server', RECORD)
  const before = new Set((record?.value['names'] ?? []) as readonly string[])
  const names = sources.all().flatMap(({ name, passThrough }) => (passThrough ? [name] : []))
  const turned = sources.all().filter(({ name, passThrough }) => passThrough !== before.has(name))
  if (turned.length === 0) return
  for (const { name } of turned) {
    let dropped = 0
    for (let page = await collections.collections({ source: name, limit: PAGE }); page.length > 0; ) {
      for (const collection of page) await collections.drop(collection)
      dropped += page.length
      const after: CollectionId | undefined = page.at(-1)
      page = await collections.collections({ source: name, after, limit: PAGE })
    }
    if (dropped > 0) log.info({ source: name }, 'pass_through of a source was changed: its collections start again')
  }
  const known = sources.all().map(({ name }) => name)
  const others = [...before].filter(name => !known.includes(name))
  const value = { names: [...others, ...names] }
  if (!(await registry.create('server', { id: RECORD, value }))) await registry.merge('server', RECORD, value)
}
