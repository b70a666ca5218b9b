import type { RegistryRecord, Store } from '@godwit/store'
import { announceEnd } from '../../backend/sources/channels.js'
import type { AccountsEngine } from '../accounts-engine.js'

const PAGE = 500

/** Enforces `sessionsPerUser` after a session was created: ends those that were inactive the longest, whose devices have to log in again. */
export async function enforceSessionQuota(
  { store, limits, metrics }: Pick<AccountsEngine, 'store' | 'limits' | 'metrics'>,
  { login, id }: { readonly login: string; readonly id: string },
): Promise<void> {
  const { registry } = store
  const most = limits.sessionsPerUser
  if ((await registry.count('credential', login)) <= most) return
  const others = (await sessionsOf(registry, login)).filter(record => record.id !== id)
  const old = others.sort((one, other) => usedAt(one) - usedAt(other)).slice(0, Math.max(0, others.length + 1 - most))
  for (const record of old) {
    await registry.delete('credential', record.id)
    metrics.limited.inc({ limit: 'sessionsPerUser', result: 'made_room' })
  }
  if (old.length > 0) await announceEnd(store, login)
}

async function sessionsOf(registry: Store['registry'], owner: string): Promise<readonly RegistryRecord[]> {
  const records: RegistryRecord[] = []
  for (let after: string | undefined; ; ) {
    const page = await registry.list('credential', { owner, after, limit: PAGE })
    records.push(...page.filter(({ value }) => value['purpose'] === 'session'))
    after = page.at(-1)?.id
    if (page.length < PAGE) return records
  }
}

const usedAt = ({ value }: RegistryRecord): number => Number(value['seen_at'])
