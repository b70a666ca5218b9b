import { type ObjectMap, SyncError } from '@godwit/protocol'
import type { CollectionId, RefusedWrite, ReplaceOptions, ReplaceResult } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { replacedScript, swapScript } from '../scripts/replace.js'
import { stage } from './stage.js'
import { stageRemovals } from './stage-removals.js'
import { Staging } from './staging.js'

type ReplaceRefusal = RefusedWrite<'epoch' | 'fence' | 'share' | 'floor'>

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
    return await new Swap(connection, staging, options, spared).run()
  } finally {
    await staging.close()
  }
}

/** Writes the staged changes and removals. */
class Swap {
  readonly #connection: RedisConnection
  readonly #staging: Staging
  readonly #options: ReplaceOptions
  #spared: number
  /** The staged removals, checked against the maximum removed share before the first write; 0 after it. */
  #removals: number

  constructor(connection: RedisConnection, staging: Staging, options: ReplaceOptions, spared: number) {
    this.#connection = connection
    this.#staging = staging
    this.#options = options
    this.#spared = spared
    this.#removals = staging.removals
  }

  async run(): Promise<ReplaceResult | ReplaceRefusal> {
    const changed = await this.#write('changes', this.#staging.changes)
    if (typeof changed !== 'number') return changed
    const removed = await this.#write('removals', this.#staging.removals)
    if (typeof removed !== 'number') return removed
    const { asked, nextQuery, nextQueryBefore } = this.#options
    const ended = await this.#step(replacedScript, [asked, nextQuery, nextQueryBefore, this.#spared])
    if (typeof ended === 'string') return replaceRefusal(ended)
    const [version = 0, count = 0] = ended as readonly number[]
    return { version, count, changed, removed, spared: this.#spared }
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
      this.#removals = 0
    }
    return written
  }

  #step(
    script: typeof swapScript | typeof replacedScript,
    more: readonly (string | number | undefined)[],
  ): Promise<RedisReply> {
    const { epoch, fence, since, maxRemovedShare } = this.#options
    const judged = [epoch, fence, since, maxRemovedShare, this.#removals]
    return this.#connection.run(script, this.#staging.naming, [...judged, ...more])
  }
}

const replaceRefusal = (reason: string): ReplaceRefusal => ({ refused: reason as ReplaceRefusal['refused'] })

const stagingLostError = () =>
  new SyncError('store_unavailable', "Redis lost a part of the query's result that was staged in it. Query again.")
