import { type ObjectMap, SyncError } from '@godwit/protocol'
import type { CollectionId, PendingRemovals, RefusedWrite, ReplaceOptions, ReplaceResult } from '@godwit/store'
import { judgeRemovals, nextQueryAfter } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { replacedScript, swapScript } from '../scripts/replace.js'
import { head } from './head.js'
import { enterPending, leavePending } from './pending-removals.js'
import { stage } from './stage.js'
import { stageRemovals } from './stage-removals.js'
import { Staging } from './staging.js'

type ReplaceRefusal = RefusedWrite<'epoch' | 'fence' | 'floor'>

/** How many objects one batch writes. Redis needs a few milliseconds for them, during which all other commands wait. */
const BATCH_SIZE = 125

/** Stages the differences, then the removals; writes both in batches, changes first; then records the successful query. */
export async function replace(
  connection: RedisConnection,
  collection: CollectionId,
  { parts, options }: { readonly parts: AsyncIterable<ObjectMap>; readonly options: ReplaceOptions },
): Promise<ReplaceResult | ReplaceRefusal> {
  const staging = new Staging(connection, collection)
  try {
    const seen = await stage(staging, parts)
    const spared = await stageRemovals({ connection, staging, seen, since: options.since })
    const present = await head(connection, collection)
    if (present === undefined) return { refused: 'epoch' }
    const leavesNothing = seen.ids.size === 0
    const pendingRemovals = judgeRemovals(present, options, { ids: staging.removals, leavesNothing })
    if (pendingRemovals) await enterPending(connection, collection)
    const replaced = await new Swap(connection, staging, { options, spared, pendingRemovals }).run()
    if (present.pendingRemovals && !pendingRemovals) await leavePending(connection, collection)
    return replaced
  } finally {
    await staging.close()
  }
}

interface SwapOptions {
  readonly options: ReplaceOptions
  readonly spared: number
  /** The removals to hold back, which are not written. */
  readonly pendingRemovals: PendingRemovals | undefined
}

/** Writes the staged changes and removals. */
class Swap {
  readonly #connection: RedisConnection
  readonly #staging: Staging
  readonly #options: ReplaceOptions
  readonly #pendingRemovals: PendingRemovals | undefined
  #spared: number

  constructor(connection: RedisConnection, staging: Staging, { options, spared, pendingRemovals }: SwapOptions) {
    this.#connection = connection
    this.#staging = staging
    this.#options = options
    this.#pendingRemovals = pendingRemovals
    this.#spared = spared
  }

  async run(): Promise<ReplaceResult | ReplaceRefusal> {
    const changed = await this.#write('changes', this.#staging.changes)
    if (typeof changed !== 'number') return changed
    const pendingRemovals = this.#pendingRemovals
    const removed = await this.#write('removals', pendingRemovals ? 0 : this.#staging.removals.count)
    if (typeof removed !== 'number') return removed
    const now = await this.#connection.now()
    const { nextQuery, nextQueryBefore } = nextQueryAfter(this.#options, pendingRemovals, now)
    const { queriesRequested } = this.#options
    const pending = pendingRemovals && JSON.stringify(pendingRemovals)
    const ended = await this.#step(replacedScript, [
      queriesRequested,
      nextQuery,
      nextQueryBefore,
      this.#spared,
      pending,
    ])
    if (typeof ended === 'string') return replaceRefusal(ended)
    const [version = 0, count = 0] = ended as readonly number[]
    return { version, count, changed, removed, spared: this.#spared, ...(pendingRemovals && { pendingRemovals }) }
  }

  /** Writes one of the two lists in batches. Returns the number of rows written, or the refusal. */
  async #write(which: 'changes' | 'removals', staged: number): Promise<number | ReplaceRefusal> {
    let written = 0
    for (let left = staged; left > 0; ) {
      const step = await this.#step(swapScript, [which, BATCH_SIZE, this.#connection.randomId()])
      if (typeof step === 'string') return replaceRefusal(step)
      const [taken = 0, rows = 0, spared = 0] = step as readonly number[]
      if (taken === 0) throw stagingLostError()
      left -= taken
      written += rows
      this.#spared += spared
    }
    return written
  }

  #step(
    script: typeof swapScript | typeof replacedScript,
    more: readonly (string | number | undefined)[],
  ): Promise<RedisReply> {
    const { epoch, fence, since } = this.#options
    const judged = [epoch, fence, since]
    return this.#connection.run(script, this.#staging.naming, [...judged, ...more])
  }
}

const replaceRefusal = (reason: string): ReplaceRefusal => ({ refused: reason as ReplaceRefusal['refused'] })

const stagingLostError = () =>
  new SyncError('store_unavailable', "Redis lost a part of the query's result that was staged in it. Query again.")
