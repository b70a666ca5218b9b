import { type AppServer, SyncError } from '@godwit/protocol'
import type { ServerEngine } from '../engine.js'
import { APP_SERVER, type AppServerStore, readAppServer } from './app-server.js'
import { collectionsOf } from './collections-of.js'

type SetAppServerEngine = AppServerStore & Pick<ServerEngine, 'store' | 'addressGuard' | 'backend' | 'sources'>

/** Sets or clears it. Throws `url_not_allowed`, or `value_not_allowed` where nothing would ask it; nothing is changed then. */
export async function writeAppServer(engine: SetAppServerEngine, { adapter_url: text }: AppServer): Promise<void> {
  const { store, addressGuard, backend } = engine
  const url = text === null || text === '' ? null : await addressGuard.check(text)
  if (url !== null && backend === undefined) throw nothingAsks()
  const before = (await readAppServer(engine)).adapter_url
  await store.registry.create('server', { id: APP_SERVER, value: {} })
  await store.registry.merge('server', APP_SERVER, { adapter_url: url })
  if (url !== null && url !== before) await makeDue(engine)
}

/** Another backend has other data: what it serves is asked for with the next pull. */
async function makeDue({ store, sources }: Pick<SetAppServerEngine, 'store' | 'sources'>): Promise<void> {
  for (const { name, isRemote } of sources.all()) {
    if (!isRemote) continue
    for await (const collection of collectionsOf(store, name)) await store.collections.ask(collection)
  }
}

const nothingAsks = (): SyncError =>
  new SyncError(
    'value_not_allowed',
    'expected a secret that the server shares with its backend, got none: nothing would ask this address. Add backend: { secret } to the configuration (SYNC_CONFIG) and restart, then set the address again.',
  )
