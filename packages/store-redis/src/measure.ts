import { type CollectionId, MAX_COUNTED, type Measures } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { collectionPages } from './journal/undecided-entries.js'
import type { Primary } from './redis-handle.js'
import { COUNTED_AT_ONCE, countUndecidedScript } from './scripts/list-entries.js'

/** Measures the store. Bytes are those of the Redis servers as a whole; mutations are counted in steps, and may be decided meanwhile. */
export async function measure(connection: RedisConnection): Promise<Measures> {
  const [facts, undecided, persists] = await Promise.all([
    serverFacts(connection),
    countUndecided(connection),
    allPersist(connection),
  ])
  const bytes = facts.reduce((sum, text) => sum + Number(/^used_memory:(\d+)/m.exec(text)?.[1] ?? 0), 0)
  return { bytes, persists, replicas: connection.replicas.measured(facts), undecided }
}

/** Returns the INFO text of each primary. */
async function serverFacts({ handle }: RedisConnection): Promise<readonly string[]> {
  const primaries = await handle.primaries()
  return Promise.all(primaries.map(async ask => String(await ask(['INFO', 'memory', 'replication']))))
}

/** True if every primary writes an append-only file or snapshots; undefined if unknown, since managed servers may refuse CONFIG. */
async function allPersist({ handle }: RedisConnection): Promise<boolean | undefined> {
  const primaries = await handle.primaries()
  const all = await Promise.all(primaries.map(persistsOf))
  return all.includes(false) ? false : all.includes(undefined) ? undefined : true
}

async function persistsOf(ask: Primary): Promise<boolean | undefined> {
  if (/^aof_enabled:1/m.test(String(await ask(['INFO', 'persistence'])))) return true
  const save = await ask(['CONFIG', 'GET', 'save']).catch(() => undefined)
  return Array.isArray(save) ? String(save[1] ?? '').trim() !== '' : undefined
}

async function countUndecided(connection: RedisConnection): Promise<Measures['undecided']> {
  const counts = { queued: 0, started: 0, in_doubt: 0 }
  let left = MAX_COUNTED
  for await (const collections of collectionPages(connection)) {
    for (const collection of collections) {
      for await (const [looked, queued, started, inDoubt] of countPages(connection, collection)) {
        counts.queued += queued
        counts.started += started
        counts.in_doubt += inDoubt
        left -= looked
        if (left <= 0) return counts
      }
    }
  }
  return counts
}

type UndecidedCount = readonly [looked: number, queued: number, started: number, inDoubt: number]

/** Yields counts for a few hundred mutations at a time. */
async function* countPages(connection: RedisConnection, collection: CollectionId): AsyncGenerator<UndecidedCount> {
  for (let from = 0; ; from += COUNTED_AT_ONCE) {
    const found = (await connection.run(countUndecidedScript, connection.keys.of(collection), [from])) as UndecidedCount
    yield found
    if (found[0] < COUNTED_AT_ONCE) return
  }
}
