import { announceEnd } from '../../backend/sources/channels.js'
import { revoke } from '../access/credentials.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { getClient } from './client-info.js'

/**
 * Ends a device's session and bars earlier ones from using the client; the user's other devices stay signed in unless they share the session. The
 * device keeps its data and needs a login before its next sync.
 */
export async function signOutClient(engine: Pick<AccountsEngine, 'store' | 'clock'>, id: string): Promise<void> {
  const { store, clock } = engine
  const { owner = '', value } = await getClient(engine, id)
  const now = clock()
  await store.registry.merge('client', id, { signed_out_at: now, session: null })
  // Later sessions get a later creation time, even if the clock is set back.
  await store.registry.merge('user', owner, { signed_out_at: now })
  if (typeof value['session'] === 'string') await revoke(engine, value['session'])
  await announceEnd(store, owner)
}
