import { SyncError } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import type { Engine } from './engine.js'
import { wasIssued } from './operations/license.js'
import { messageOf } from './sources/refusal.js'

type Watched = Pick<Engine, 'store' | 'log'>

/** What is known of a store that this process has begun. */
interface Notes {
  warnings: readonly string[]
  isEmpty: boolean
}

const notes = new WeakMap<Store, Notes>()

const FORGETFUL =
  'The store keeps nothing over a restart of Redis: turn on its append-only file (appendonly yes), or everything is gone after the next one.'

const EMPTY =
  'The store came back empty: users, sessions and collections are gone. Restore it (the append-only file, a snapshot or a backup), and this server goes on by itself; or begin anew with `godwit begin`, and it goes on too.'

/** Expects the store to hold what a server needs from now on, and checks in the background how the store persists it. */
export function noteBegun({ store, log }: Watched): void {
  const known: Notes = { warnings: [], isEmpty: false }
  notes.set(store, known)
  store.measure().then(
    ({ persists }) => {
      if (persists !== false) return
      known.warnings = [FORGETFUL]
      log.warn({}, FORGETFUL)
    },
    error => log.warn({ error: messageOf(error) }, 'the store did not say how it keeps what is written'),
  )
}

/** What an operator should know of a store that works. Throws `store_unavailable` where it lost what it held, until somebody has decided. */
export async function checkNotes({ store, log }: Watched): Promise<readonly string[]> {
  const known = notes.get(store)
  if (known === undefined) return []
  const isEmpty = !(await wasIssued({ store }))
  if (isEmpty !== known.isEmpty) {
    known.isEmpty = isEmpty
    if (isEmpty) log.error({}, EMPTY)
    else log.info({}, 'the store holds what a server needs again')
  }
  if (isEmpty) throw new SyncError('store_unavailable', EMPTY)
  return known.warnings
}
