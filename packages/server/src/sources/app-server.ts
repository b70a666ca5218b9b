import type { AppServer } from '@godwit/protocol'
import type { Store } from '@godwit/store'

export const APP_SERVER = 'appserver'

export interface AppServerStore {
  readonly store: Pick<Store, 'registry'>
}

/** The address of the plugin backend, as it was set. */
export async function readAppServer({ store }: AppServerStore): Promise<AppServer> {
  const value = (await store.registry.get('server', APP_SERVER))?.value
  return { adapter_url: typeof value?.['adapter_url'] === 'string' ? value['adapter_url'] : null }
}
