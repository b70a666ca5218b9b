import { SyncError } from '@godwit/protocol'
import { revokeAll } from '../../accounts/access/credentials.js'
import type { AdminEngine } from '../admin-engine.js'

type ResetEngine = Pick<
  AdminEngine,
  'store' | 'jobs' | 'sources' | 'activeRequests' | 'resetAllowed' | 'beginStore' | 'adminLogin' | 'statistics'
>

/** The caller of the reset, whose user and token are kept. */
export interface Resetter {
  readonly login: string
  readonly credential: string | undefined
}

const MAX_WAIT = 5000
const PAGE = 500

/**
 * Empties the server except for the admin, the caller and the caller's token; it can be repeated after an interruption. Users are deleted first, so
 * that their requests write nothing afterwards; work in progress names an epoch that no longer exists.
 */
export async function reset(engine: ResetEngine, { login, credential }: Resetter): Promise<void> {
  if (!engine.resetAllowed) {
    throw new SyncError('reset_disabled', 'Reset is disabled on this server. Set SYNC_ALLOW_RESET=true to allow it.')
  }
  const { store, jobs, sources, activeRequests, statistics } = engine
  const kept = new Set([login, engine.adminLogin])
  const gone: string[] = []
  for await (const user of usersOf(store)) {
    await revokeAll(engine, user, { keep: user === login ? credential : undefined })
    if (kept.has(user)) continue
    await store.registry.delete('user', user)
    gone.push(user)
  }
  await Promise.all(gone.map(user => activeRequests.settled(user, MAX_WAIT)))
  await statistics.drop()
  await store.clear({ keep: ['user', 'credential'] })
  await jobs.clear()
  sources.reset()
  await engine.beginStore()
  // The address of the backend is gone.
  await sources.refresh()
}

async function* usersOf({ registry }: ResetEngine['store']): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const page = await registry.list('user', { after, limit: PAGE })
    for (const { id } of page) yield id
    after = page.at(-1)?.id
    if (after === undefined) return
  }
}
