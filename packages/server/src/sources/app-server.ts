import type { AppServer } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import type { AddressGuard } from './address-guard.js'

const ID = 'appserver'

interface Keeping {
  readonly store: Pick<Store, 'registry'>
}

/** The address of the plugin backend, as it was set. */
export async function readAppServer({ store }: Keeping): Promise<AppServer> {
  const value = (await store.registry.get('server', ID))?.value
  return { adapter_url: typeof value?.['adapter_url'] === 'string' ? value['adapter_url'] : null }
}

/** Sets or clears it. Throws `url_not_allowed`; nothing is changed then. */
export async function writeAppServer(
  { store: { registry }, addressGuard }: Keeping & { readonly addressGuard: AddressGuard },
  { adapter_url: text }: AppServer,
): Promise<void> {
  const url = text === null || text === '' ? null : await addressGuard.check(text)
  await registry.create('server', { id: ID, value: {} })
  await registry.merge('server', ID, { adapter_url: url })
}
