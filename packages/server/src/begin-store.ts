import { isSyncError } from '@godwit/protocol'
import { bootstrap } from './access/bootstrap.js'
import type { ServerEngine } from './engine.js'
import { issueLicense } from './operations/license.js'
import type { SyncServerOptions } from './options.js'
import { beginPassThrough } from './pass-through/begin-pass-through.js'
import { createUser } from './users/create-users.js'

type BeginEngine = Pick<
  ServerEngine,
  'store' | 'sources' | 'passwords' | 'clock' | 'randomId' | 'authenticate' | 'backend' | 'log' | 'storeHealth'
>

/** What a server needs in its store: its admin and, in a store that begins, its first users. May be done again. */
export async function beginStore(
  engine: BeginEngine,
  { admin, users = [] }: Pick<SyncServerOptions, 'admin' | 'users'>,
): Promise<void> {
  const isNew = await issueLicense(engine)
  await beginPassThrough(engine)
  await bootstrap(engine, admin)
  if (isNew) for (const { login, password } of users) await createMissing(engine, login, password)
  engine.storeHealth.expect()
}

async function createMissing(engine: BeginEngine, login: string, password: string): Promise<void> {
  try {
    await createUser(engine, { attributes: { login, password } })
  } catch (error) {
    if (!isSyncError(error) || error.code !== 'user_exists') throw error
  }
}
