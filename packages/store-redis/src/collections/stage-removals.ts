import type { ObjectId } from '@godwit/protocol'
import type { RedisConnection } from '../connection.js'
import { walkScript, walkTombstonesScript } from '../scripts/replace.js'
import type { StagedResult } from './stage.js'
import type { Staging } from './staging.js'

/** How many objects one step compares. */
const BATCH_SIZE = 500

interface WalkContext {
  readonly connection: RedisConnection
  readonly staging: Staging
  readonly seen: StagedResult
  readonly since: number
}

/**
 * Stages the removal of objects that the query result lacks, except those changed since the query began. Returns how many of these changed objects
 * differ from the query result.
 */
export async function stageRemovals(walking: WalkContext): Promise<number> {
  const spared = await walkObjects(walking)
  return spared === 'all seen' ? 0 : spared + (await walkTombstones(walking))
}

type WalkPage = readonly [version: number, count: number, rows: readonly (string | null)[], more: number]

async function walkObjects({ connection, staging, seen, since }: WalkContext): Promise<number | 'all seen'> {
  let spared = 0
  for (let after: ObjectId | undefined = ''; after !== undefined; ) {
    const [version, count, rows, more] = (await connection.run(walkScript, staging.naming, [
      after,
      BATCH_SIZE,
      since,
    ])) as WalkPage
    // Unchanged since the first comparison, and the result has as many live objects as the collection: nothing to remove.
    if (after === '' && seen.live === count && (seen.version ?? 0) === version) return 'all seen'
    const gone: ObjectId[] = []
    for (let at = 0; at < rows.length; at += 2) {
      const id = rows[at] as ObjectId
      const newer = rows[at + 1] ?? undefined
      if (newer === undefined && !seen.ids.has(id)) gone.push(id)
      if (newer !== undefined && !(seen.ids.has(id) && seen.ids.settles(id, newer))) spared++
    }
    await staging.remove(gone)
    after = more === 0 ? undefined : (rows.at(-2) as ObjectId)
  }
  return spared
}

/** Counts objects that the query result has, but that another writer removed after the query began. */
async function walkTombstones({ connection, staging, seen, since }: WalkContext): Promise<number> {
  let spared = 0
  for (let after: readonly [number, string] | undefined = [since + 1, '']; after; ) {
    const rows = await connection.run(walkTombstonesScript, staging.naming, [...after, BATCH_SIZE])
    const flat = rows as readonly (string | number)[]
    for (let at = 0; at < flat.length; at += 2) {
      const id = `${flat[at]}`
      if (seen.ids.has(id) && !seen.ids.settles(id, null)) spared++
    }
    after = flat.length < 2 * BATCH_SIZE ? undefined : [Number(flat.at(-1)), `${flat.at(-2)}`]
  }
  return spared
}
