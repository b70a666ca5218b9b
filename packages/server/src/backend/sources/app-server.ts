import { type AppServer, type Role, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { Registry, Store } from '@godwit/store'
import type { AddressGuard } from './address-guard.js'
import { collectionsOf } from './collections-of.js'

const APP_SERVER = 'appserver'

/** True in the record of an address that an admin set while the configuration named no backend. */
const UNCONFIGURED = 'unconfigured'

/** The store with the plugin backend's address. */
export interface AppServerStore {
  readonly store: { readonly registry: Pick<Registry, 'get'> }
}

interface ReadContext extends AppServerStore {
  readonly backend: { readonly configuredUrl: string | undefined }
}

/** Returns the address of the plugin backend: the configured one, else the stored one. */
export async function readAppServer({ store, backend }: ReadContext): Promise<AppServer> {
  if (backend.configuredUrl !== undefined) return { adapter_url: backend.configuredUrl }
  const value = (await store.registry.get('server', APP_SERVER))?.value
  return { adapter_url: typeof value?.['adapter_url'] === 'string' ? value['adapter_url'] : null }
}

/**
 * Returns the address that the server calls: the configured one, else the stored one; null: none. After a backend was taken out of the configuration, nothing is sent to the address that
 * was set for it.
 */
export async function addressInUse(
  { store }: AppServerStore,
  configured: { readonly url?: string } | undefined,
): Promise<string | null> {
  if (configured?.url !== undefined) return configured.url
  const value = (await store.registry.get('server', APP_SERVER))?.value
  if (typeof value?.['adapter_url'] !== 'string' || !(configured !== undefined || value[UNCONFIGURED] === true))
    return null
  return value['adapter_url']
}

interface AppServerContext {
  readonly store: Pick<Store, 'registry' | 'collections'>
  readonly sources: { all(): readonly Source[]; refresh(): Promise<void> }
  readonly addressGuard: Pick<AddressGuard, 'check'>
  readonly backend: {
    readonly isConfigured: boolean
    readonly configuredUrl: string | undefined
    address(): Promise<string | undefined>
  }
}

/**
 * Sets or clears the address. Throws `url_not_allowed`, or `role_insufficient` for a caller who may not decide where passwords and objects are sent,
 * and then changes nothing.
 */
export async function writeAppServer(
  engine: AppServerContext,
  { adapter_url: text }: AppServer,
  { role }: { readonly role: Role },
): Promise<void> {
  const { store, sources, addressGuard, backend } = engine
  if (backend.configuredUrl !== undefined) throw CONFIGURED()
  const url = text === null || text === '' ? null : await addressGuard.check(text)
  if (url !== null && !backend.isConfigured && role !== 'admin') throw adminNeeded(role)
  const before = await backend.address()
  await store.registry.create('server', { id: APP_SERVER, value: {} })
  await store.registry.merge('server', APP_SERVER, {
    adapter_url: url,
    [UNCONFIGURED]: url !== null && !backend.isConfigured ? true : null,
  })
  await sources.refresh()
  if (url !== null && url !== before) await makeDue(engine)
}

/** Makes every collection of a remote source due, since another backend has other data. */
async function makeDue({ store, sources }: Pick<AppServerContext, 'store' | 'sources'>): Promise<void> {
  for (const { name, isRemote } of sources.all()) {
    if (!isRemote) continue
    for await (const collection of collectionsOf(store, name)) await store.collections.requestQuery(collection)
  }
}

const CONFIGURED = (): SyncError =>
  new SyncError('url_not_allowed', 'The address is set by backend.url of the configuration. Change it there.')

const adminNeeded = (role: Role): SyncError =>
  new SyncError(
    'role_insufficient',
    `expected an admin, got the role ${role}: passwords and objects are sent to this address, and the configuration has no backend. Have an admin set it, or add backend: { secret } to the configuration.`,
  )
