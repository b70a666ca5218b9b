import { type AppServer, SyncError } from '@godwit/protocol'
import type { Registry, Store } from '@godwit/store'
import type { AddressGuard } from './address-guard.js'
import { collectionsOf } from './collections-of.js'
import type { Source } from './source.js'

const APP_SERVER = 'appserver'

/** The store with the plugin backend's address. */
export interface AppServerStore {
  readonly store: { readonly registry: Pick<Registry, 'get'> }
}

/** Returns the stored address of the plugin backend. */
export async function readAppServer({ store }: AppServerStore): Promise<AppServer> {
  const value = (await store.registry.get('server', APP_SERVER))?.value
  return { adapter_url: typeof value?.['adapter_url'] === 'string' ? value['adapter_url'] : null }
}

interface AppServerContext {
  readonly store: Pick<Store, 'registry' | 'collections'>
  readonly sources: { all(): readonly Source[] }
  readonly addressGuard: Pick<AddressGuard, 'check'>
  /** The client of the backend; undefined if none is configured. */
  readonly backend: object | undefined
}

/** Sets or clears the address. Throws `url_not_allowed`, or `value_not_allowed` if no backend is configured, and then changes nothing. */
export async function writeAppServer(engine: AppServerContext, { adapter_url: text }: AppServer): Promise<void> {
  const { store, addressGuard, backend } = engine
  const url = text === null || text === '' ? null : await addressGuard.check(text)
  if (url !== null && backend === undefined) throw noBackendError()
  const before = (await readAppServer(engine)).adapter_url
  await store.registry.create('server', { id: APP_SERVER, value: {} })
  await store.registry.merge('server', APP_SERVER, { adapter_url: url })
  if (url !== null && url !== before) await makeDue(engine)
}

/** Makes every collection of a remote source due, since another backend has other data. */
async function makeDue({ store, sources }: Pick<AppServerContext, 'store' | 'sources'>): Promise<void> {
  for (const { name, isRemote } of sources.all()) {
    if (!isRemote) continue
    for await (const collection of collectionsOf(store, name)) await store.collections.requestQuery(collection)
  }
}

const noBackendError = (): SyncError =>
  new SyncError(
    'value_not_allowed',
    'expected a secret that the server shares with its backend, got none: nothing would ask this address. Add backend: { secret } to the configuration (SYNC_CONFIG) and restart, then set the address again.',
  )
