import type { RegistryRecord, Store } from '@godwit/store'
import type { AccountsEngine } from '../accounts-engine.js'
import { quotaExceeded } from './quota-exceeded.js'

/** Milliseconds of inactivity after which a client may be removed for a new one of its user. Its device takes a new client id and loses nothing. */
export const UNSEEN = 7 * 24 * 3600_000

const DAY = 24 * 3600
const PAGE = 500

interface NewClient {
  readonly login: string
  readonly id: string
  /** Deletes a client of the user. */
  readonly remove: (id: string) => Promise<void>
}

/**
 * Enforces `clientsPerUser` after a client was created: removes the longest inactive ones, if inactive for a week. Otherwise removes the new one and
 * throws `quota_exceeded`.
 */
export async function enforceClientQuota(
  engine: Pick<AccountsEngine, 'store' | 'clock' | 'limits' | 'metrics'>,
  { login, id, remove }: NewClient,
): Promise<void> {
  const { store, clock, limits, metrics } = engine
  const most = limits.clientsPerUser
  const over = (await store.registry.count('client', login)) - most
  if (over <= 0) return
  const old = (await clientsOf(store.registry, login))
    .filter(record => record.id !== id && seenAt(record) <= clock() - UNSEEN)
    .sort((one, other) => seenAt(one) - seenAt(other))
    .slice(0, over)
  for (const record of old) {
    await remove(record.id)
    metrics.limited.inc({ limit: 'clientsPerUser', result: 'made_room' })
  }
  if (old.length === over) return
  await store.registry.delete('client', id)
  const message = `A user may have at most ${most} clients, and all of them were active in the last 7 days. Delete unused ones (DELETE /rc/v1/users/<user_id>/clients/<client_id>), or raise limits.clientsPerUser.`
  throw quotaExceeded(engine, { limit: 'clientsPerUser', message, retryAfter: DAY })
}

async function clientsOf(registry: Store['registry'], owner: string): Promise<readonly RegistryRecord[]> {
  const records: RegistryRecord[] = []
  for (let after: string | undefined; ; ) {
    const page = await registry.list('client', { owner, after, limit: PAGE })
    records.push(...page)
    after = page.at(-1)?.id
    if (page.length < PAGE) return records
  }
}

const seenAt = ({ value }: RegistryRecord): number =>
  typeof value['seen_at'] === 'number' ? value['seen_at'] : Date.parse(String(value['created_at']))
