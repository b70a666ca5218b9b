import type { BackendEngine } from '../backend-engine.js'
import { announceAccess } from '../sources/channels.js'
import type { AccessCache } from './access-cache.js'

type ChangedEngine = Pick<BackendEngine, 'store' | 'sources'> & { readonly accessCache: AccessCache }

/** Drops what is remembered of a user's access, in all processes, and tells the user's devices to ask for the list of their partitions again. */
export async function accessChanged(engine: ChangedEngine, user: string): Promise<void> {
  engine.accessCache.forget(user)
  await announceAccess(engine.store, user, { isAnnounced: true })
}

/** The same after a create of the user, without a word to devices: the object may be what gives access to a partition. */
export async function createSettled(engine: ChangedEngine, user: string): Promise<void> {
  if (!engine.sources.all().some(({ by }) => by !== undefined)) return
  engine.accessCache.forget(user)
  await announceAccess(engine.store, user, { isAnnounced: false })
}
