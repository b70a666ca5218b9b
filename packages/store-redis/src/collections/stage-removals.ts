import type { ObjectId } from '@godwit/protocol'
import type { RedisConnection } from '../connection.js'
import { walkScript, walkTombstonesScript } from '../scripts/replace.js'
import type { StagedResult } from './stage.js'
import type { Staging } from './staging.js'

/** How many objects are compared in one step. */
const BATCH_SIZE = 500

interface WalkContext {
  readonly connection: RedisConnection
  readonly staging: Staging
  readonly seen: StagedResult
  readonly since: number
}

/**
 * Stages the removal of what the query does not have. What changed after the query began is left alone:
 * the result is how many of those differ from what the query says.
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
    // The collection was not written since the first comparison, and the query gave as many objects as there are.
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

/** Those that the query has, equal at first, and somebody removed since. */
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
