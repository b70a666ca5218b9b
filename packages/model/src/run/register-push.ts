import { StoredPushAddress } from './push-registration.js'
import type { SyncContext } from './sync-context.js'

/** Tells the server the push address of this device, unless it knows. Requires a client id. Rejects if the server cannot be reached or refuses it. */
export async function registerPush(
  { database, session, transport }: Pick<SyncContext, 'database' | 'session' | 'transport'>,
  signal?: AbortSignal,
): Promise<void> {
  const address = new StoredPushAddress(database)
  const { clientId, token } = session
  const registration = clientId !== null && token !== null ? address.unregisteredFor(clientId) : undefined
  if (clientId === null || registration === undefined) return
  await transport.registerClient(clientId, registration, { session: token, signal })
  address.recordRegistered(clientId, registration)
}

/**
 * Clears the address of a client whose user leaves this device, so that messages for one user are not shown to another. If the server cannot be
 * reached, it keeps the address.
 */
export async function leavePush(
  { database, transport }: Pick<SyncContext, 'database' | 'transport'>,
  { client, session }: { readonly client: string | null; readonly session: string | null },
): Promise<void> {
  const address = new StoredPushAddress(database)
  if (client === null || session === null || !address.isRegistered(client)) return
  await transport.registerClient(client, { device_pin: '' }, { session }).catch(() => undefined)
  address.recordRegistered(client, { device_pin: '' })
}
