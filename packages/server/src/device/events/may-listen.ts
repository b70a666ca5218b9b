import type { Registry, RegistryRecord } from '@godwit/store'
import { credentialOf, isSignedOut } from '../../accounts/access/credentials.js'
import { findUser } from '../../accounts/users/user-record.js'
import type { DeviceEngine } from '../device-engine.js'
import type { StreamOwner } from './event-stream.js'

/**
 * Returns until when an idle stream needs no further check, in milliseconds since 1970 and never past the end of the session. Undefined: the session
 * ended, the user was barred, or the client is no longer the user's.
 */
export async function mayListen(
  { store: { registry }, clock, limits }: Pick<DeviceEngine, 'store' | 'clock' | 'limits'>,
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

/** Returns a registry that reads each record once, for checks that run together. */
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
