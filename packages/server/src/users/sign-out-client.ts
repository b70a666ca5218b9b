import { revoke } from '../access/credentials.js'
import type { ServerEngine } from '../engine.js'
import { announceEnd } from '../sources/channels.js'
import { getClient } from './client-info.js'

/**
 * Ends the session that a device uses, and bars every earlier one from speaking for it; the user's other devices stay signed in unless they share it. The
 * device keeps what it has, and asks for a login before it syncs again.
 */
export async function signOutClient(engine: Pick<ServerEngine, 'store' | 'clock'>, id: string): Promise<void> {
  const { store, clock } = engine
  const { owner = '', value } = await getClient(engine, id)
  const now = clock()
  await store.registry.merge('client', id, { signed_out_at: now, session: null })
  // Sessions that begin from now on are later by this, however the clock is set.
  await store.registry.merge('user', owner, { signed_out_at: now })
  if (typeof value['session'] === 'string') await revoke(engine, value['session'])
  await announceEnd(store, owner)
}
