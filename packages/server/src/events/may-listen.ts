import type { Registry, RegistryRecord } from '@godwit/store'
import { credentialOf, isSignedOut } from '../access/credentials.js'
import type { Engine } from '../engine.js'
import { findUser } from '../users/user-record.js'
import type { StreamOwner } from './event-stream.js'

/**
 * Undefined unless the session still stands, the user is not barred and the client is still the user's. Else until when a stream that has nothing
 * to tell need not ask again, in milliseconds since 1970: for a while, and never past the end of the session.
 */
export async function mayListen(
  { store: { registry }, clock, limits }: Pick<Engine, 'store' | 'clock' | 'limits'>,
  { login, credential, client }: StreamOwner,
): Promise<number | undefined> {
  const [session, user, device] = await Promise.all([
    registry.get('credential', credential),
    findUser(registry, login),
    registry.get('client', client),
  ])
  const known = credentialOf(session, 'session')
  const now = clock()
  if (known === undefined || known.expiresAt <= now || user === undefined || device?.owner !== login) return undefined
  if (isSignedOut(device, known)) return undefined
  return Math.min(known.expiresAt, now + 1000 * limits.eventLook)
}

/** A registry that reads each record once, for questions that are asked together. */
export function cacheReads(registry: Registry): Registry {
  const records = new Map<string, Promise<RegistryRecord | undefined>>()
  return {
    ...registry,
    get: (kind, id) => {
      const key = `${kind} ${id}`
      const record = records.get(key) ?? registry.get(kind, id)
      records.set(key, record)
      return record
    },
  }
}
