import { credentialOf } from '../access/credentials.js'
import type { Engine } from '../engine.js'
import { findUser } from '../users/user-record.js'
import type { Listener } from './event-stream.js'

/** Whether the session still stands, the user is not barred and the client is still the user's. */
export async function mayListen(
  { store: { registry }, clock }: Pick<Engine, 'store' | 'clock'>,
  { login, credential, client }: Listener,
): Promise<boolean> {
  const [session, user, device] = await Promise.all([
    registry.get('credential', credential),
    findUser(registry, login),
    registry.get('client', client),
  ])
  const known = credentialOf(session, 'session')
  return known !== undefined && known.expiresAt > clock() && user !== undefined && device?.owner === login
}
