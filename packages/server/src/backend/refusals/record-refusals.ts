import type { JsonValue, Outcome } from '@godwit/protocol'
import type { JournalEntry, Registry, RegistryRecord, Store } from '@godwit/store'

/** Milliseconds for which a refusal is kept. */
export const REFUSAL_LIFE = 30 * 24 * 3600 * 1000
/** The number of refusals kept per user. */
export const MAX_REFUSALS = 200
/** Characters of content stored with a refusal. */
const MAX_CONTENT = 16_384
/** Ids sort newest first. */
const LAST_TIME = 9_999_999_999_999

/** Stores refused mutations for operators, since the journal drops their content after the device acknowledged them. */
export async function recordRefusals(
  store: Pick<Store, 'journal' | 'registry' | 'now'>,
  entries: readonly JournalEntry[],
): Promise<void> {
  const [first] = entries
  if (first === undefined) return
  const keys = entries.map(({ mutation }) => mutation.key)
  const decided = await store.journal.entries(first.collection, keys)
  const outcomes = new Map(
    decided.map(({ mutation, state, outcome }) => [mutation.key, state === 'decided' ? outcome : undefined]),
  )
  const now = await store.now()
  const records = entries.flatMap(entry => {
    const outcome = outcomes.get(entry.mutation.key)
    return outcome === undefined || outcome.status === 'applied' ? [] : [recordOf(entry, outcome, now)]
  })
  // In parallel: one commit each would block the drain for a second if many mutations depended on the first.
  await Promise.all(records.map(record => store.registry.create('refusal', record)))
  const users = new Set(records.map(({ owner }) => owner))
  await Promise.all([...users].map(user => forgetOldest(store.registry, user)))
}

function recordOf(
  { collection, user, client, mutation }: JournalEntry,
  { status, error }: Outcome,
  now: number,
): RegistryRecord & { readonly owner: string } {
  const { key, operation, object, attributes, was, was_digests } = mutation
  const content = {
    ...(attributes && { attributes }),
    ...(was && { was }),
    ...(was_digests && { was_digests }),
  } as { readonly [name: string]: JsonValue }
  const isKept = JSON.stringify(content).length <= MAX_CONTENT
  return {
    id: `${String(LAST_TIME - now).padStart(13, '0')} ${key}`,
    owner: user,
    expiresAt: now + REFUSAL_LIFE,
    value: {
      ...collection,
      refused_at: new Date(now).toISOString(),
      client,
      operation,
      object,
      status,
      error: { code: error?.code ?? status, message: error?.message ?? '' },
      ...(isKept && content),
    },
  }
}

async function forgetOldest(registry: Registry, user: string): Promise<void> {
  if ((await registry.count('refusal', user)) <= MAX_REFUSALS) return
  const kept = await registry.list('refusal', { owner: user, limit: MAX_REFUSALS })
  const old = await registry.list('refusal', { owner: user, after: kept.at(-1)?.id, limit: MAX_REFUSALS })
  await Promise.all(old.map(({ id }) => registry.delete('refusal', id)))
}
