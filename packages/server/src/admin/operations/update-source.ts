import { type SourceChange, type SourceUpdate, SyncError } from '@godwit/protocol'
import type { ChangeableSettings, Source } from '@godwit/source'
import { getUser } from '../../accounts/users/user-record.js'
import { collectionsOf } from '../../backend/sources/collections-of.js'
import { LAST_TIME } from '../../backend/sources/last-time.js'
import type { AdminEngine } from '../admin-engine.js'

const SETTING = {
  poll_interval: 'pollInterval',
  sync_type: 'syncType',
  queue: 'queue',
  query_queue: 'queryQueue',
  cud_queue: 'cudQueue',
  sync_priority: 'syncPriority',
  retry_limit: 'retryLimit',
  push_notify: 'pushNotify',
} as const satisfies { readonly [Name in keyof SourceChange]-?: keyof ChangeableSettings }

/** Changes settings of a source for all users. A given user is only checked to exist. */
export async function updateSource(
  engine: Pick<AdminEngine, 'store' | 'sources'>,
  name: string,
  { user_name: user, data }: SourceUpdate,
): Promise<void> {
  const { store, sources } = engine
  const before = sources.get(name)
  if (before.passThrough && data.sync_type === 'bulk_only') throw noFiles(name)
  if (user !== undefined) await getUser(store.registry, user)
  const change = Object.entries(data).map(([member, value]) => [SETTING[member as keyof SourceChange], value])
  const source = await sources.change(name, Object.fromEntries(change))
  if (source.pollInterval !== before.pollInterval) await setDueTimes(engine, source)
}

const noFiles = (name: string): SyncError =>
  new SyncError('value_not_allowed', `${name} is pass_through: nothing of it is kept that files could be made of.`)

/**
 * The new interval counts from the last query, or from now if there was none, or one in the future because the clock was set back. It replaces due
 * times of the old interval, including one that a running query is about to set.
 */
async function setDueTimes({ store }: Pick<AdminEngine, 'store'>, source: Source): Promise<void> {
  for await (const collection of collectionsOf(store, source.name)) {
    const head = await store.collections.head(collection)
    if (head === undefined) continue
    const { readAt, queriedAt = readAt } = head
    const next = Math.min(queriedAt, readAt) + source.pollInterval * 1000
    await store.collections.requestQuery(collection, source.pollInterval < 0 ? LAST_TIME : next)
  }
}
