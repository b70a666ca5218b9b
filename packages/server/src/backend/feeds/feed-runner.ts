import { SyncError } from '@godwit/protocol'
import { type Feed, type FeedContext, isCursorGone, messageOf, type Source } from '@godwit/source'
import type { Lease, RecordValue } from '@godwit/store'
import { pause } from '../../base/pause.js'
import { untilAborted } from '../../base/until-aborted.js'
import type { BackendEngine } from '../backend-engine.js'
import { applyBatch, makeDue, type WrittenVersions } from './apply-batch.js'
import { type CheckedBatch, checkBatch, type NamedFeed } from './feed-batch.js'
import { readFeed, storeStep, takeOver } from './feed-record.js'

/** Milliseconds between attempts to get the lease that another process has. */
const LEASE_PAUSE = 1000
/** Milliseconds before a feed that failed is opened again; each further pause is twice as long. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 30_000
/** Milliseconds for which a feed that proved to be alive has to run, so that the next pause is the shortest one again. */
const SHORTEST_RUN = 1000

/** A feed as its holder runs it. */
interface Holding {
  readonly fence: number
  /** Aborted when the lease is lost or the server stops. */
  readonly signal: AbortSignal
  /** The names of sources that the stored cursor does not cover. */
  readonly uncovered: ReadonlySet<string>
}

/** Runs one feed in this process while it has the feed's lease: opens it, applies its batches, stores its cursor. */
export class FeedRunner {
  readonly #engine: BackendEngine
  readonly #feed: Feed
  readonly #named: NamedFeed
  readonly #ended = new AbortController()
  #running: Promise<void> | undefined
  /** Whether a heartbeat or a change came through since the feed was opened. */
  #hasProved = false

  constructor(engine: BackendEngine, feed: Feed, named: NamedFeed) {
    this.#engine = engine
    this.#feed = feed
    this.#named = named
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended
    for (let failures = 0; !signal.aborted; ) {
      const begun = performance.now()
      this.#hasProved = false
      const end = await this.#runOnce().catch(async error => {
        await this.#recordFailure(error).catch(() => {})
        return 'failed' as const
      })
      // A feed that was up before it failed begins with the shortest pause.
      const wasUp = this.#hasProved && performance.now() - begun >= SHORTEST_RUN
      failures = end !== 'failed' ? 0 : wasUp ? 1 : failures + 1
      await pause(end === 'failed' ? Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE) : LEASE_PAUSE, signal)
    }
  }

  async #runOnce(): Promise<'waited' | 'lost'> {
    const { store, holder, limits } = this.#engine
    const name = { kind: 'server', name: `feed:${this.#named.name}` } as const
    const milliseconds = limits.queryLease * 1000
    const lease = await store.leases.acquire(name, { holder, milliseconds })
    if (lease === undefined) return 'waited'
    const lost = new AbortController()
    const renewing = this.#keepLease(lease, lost)
    try {
      await this.#hold(lease.fence, AbortSignal.any([lost.signal, this.#ended.signal]))
      return 'lost'
    } finally {
      clearInterval(renewing)
      lost.abort()
      await store.leases.release(lease).catch(() => {})
    }
  }

  /** Ends the holding when the lease is granted to another process, or could not be renewed in time. */
  #keepLease(lease: Lease, lost: AbortController): NodeJS.Timeout {
    const { store, limits } = this.#engine
    const milliseconds = limits.queryLease * 1000
    let renewedAt = performance.now()
    const renew = async (): Promise<void> => {
      if (performance.now() - renewedAt >= milliseconds) return lost.abort()
      const before = performance.now()
      if (await store.leases.renew(lease, milliseconds)) renewedAt = before
      else lost.abort()
    }
    return setInterval(() => void renew().catch(() => {}), milliseconds / 3).unref()
  }

  async #hold(fence: number, signal: AbortSignal): Promise<void> {
    const state = await takeOver(this.#engine.store, this.#named.name, fence)
    if (state === undefined) return
    const uncovered = new Set([...this.#named.sources.keys()].filter(name => !state.sources.includes(name)))
    const holding = { fence, signal, uncovered }
    try {
      await this.#follow(holding, state.cursor)
    } catch (error) {
      if (signal.aborted) return
      if (!isCursorGone(error)) throw error
      const { log } = this.#engine
      log.warn({ feed: this.#named.name, reason: error.message }, 'the cursor of a feed is gone: reading starts over')
      await this.#follow(holding, null).catch(failure => {
        if (!signal.aborted) throw failure
      })
    }
  }

  /** Opens the feed at a cursor and applies its batches, until the holding ends. */
  async #follow(holding: Holding, from: string | null): Promise<void> {
    const { signal } = holding
    const proofs = new Map<string, string>()
    const batches = this.#feed.open(this.#context(from, signal, proofs))
    let cursor = from
    let readAt = await this.#engine.store.now()
    let written: WrittenVersions = new Map()
    let doneAt = this.#engine.clock()
    for await (const given of untilAborted(batches, signal, () => lostError(this.#named.name))) {
      const batch = checkBatch(this.#named, given)
      const isFirst = cursor === from && cursor !== batch.cursor
      if (isFirst) await this.#rereadUncovered(holding, from)
      // A feed that reads ahead may have read before the last batch was written.
      const isAhead = batch.readAt !== undefined && batch.readAt < doneAt
      const before = { readAt, cursor, proofs, written: isAhead ? new Map() : written }
      const applied = await this.#apply(holding, batch, before)
      if (applied === undefined) return
      if (batch.heartbeat === true || batch.partitions.length > 0) this.#hasProved = true
      written = applied
      cursor = batch.cursor
      readAt = await this.#engine.store.now()
      doneAt = this.#engine.clock()
    }
    throw new SyncError('backend_failed', `The feed ${this.#named.name}: expected batches until its end, got no more.`)
  }

  #context(cursor: string | null, signal: AbortSignal, known: Map<string, string>): FeedContext {
    const { store, log } = this.#engine
    const { name, sources } = this.#named
    return {
      cursor,
      sources: [...sources.keys()].sort(),
      signal,
      log,
      proofs: async () => {
        const state = await readFeed(store, name)
        for (const [member, proof] of state.proofs) known.set(member, proof)
        return [...new Set(state.proofs.values())]
      },
    }
  }

  /** Without a cursor nothing is known of any partition; otherwise of the sources that came to the feed since. Only then is the cursor stored. */
  async #rereadUncovered({ uncovered }: Holding, from: string | null): Promise<void> {
    for (const [name, source] of this.#named.sources)
      if (from === null || uncovered.has(name)) await makeDue(this.#engine, { source })
  }

  /** Applies a batch and stores its cursor. Returns the versions that it wrote; undefined if another process took over. */
  async #apply(
    { fence }: Holding,
    batch: CheckedBatch,
    before: {
      readonly readAt: number
      readonly cursor: string | null
      readonly proofs: Map<string, string>
      readonly written: WrittenVersions
    },
  ): Promise<WrittenVersions | undefined> {
    const { store, clock } = this.#engine
    const { name } = this.#named
    const now = await store.now()
    const readAt = batch.readAt === undefined ? before.readAt : now - Math.max(0, clock() - batch.readAt)
    // One millisecond earlier: commits of that millisecond may be missing in what was read.
    const reader = { feed: name, fence, readAt: readAt - 1, written: before.written }
    const written = await applyBatch(this.#engine, reader, batch)
    if (written === undefined) return undefined
    const replaced = new Set(batch.proofs)
    const moves = batch.cursor !== before.cursor
    const step = {
      fence,
      status: await this.#statusOf(batch, moves),
      proofs: [...before.proofs].filter(([, proof]) => replaced.has(proof)).map(([member]) => member),
    }
    if (!moves && Object.keys(step.status).length === 0 && step.proofs.length === 0) return written
    for (const member of step.proofs) before.proofs.delete(member)
    const isHolder = await storeStep(store, name, moves ? { ...step, cursor: batch.cursor } : step)
    return isHolder ? written : undefined
  }

  async #statusOf({ partitions, heartbeat, committedAt, waiting }: CheckedBatch, moves: boolean): Promise<RecordValue> {
    const { store, clock, metrics } = this.#engine
    const now = await store.now()
    const feed = this.#named.name
    const lag = committedAt === undefined ? undefined : Math.max(0, clock() - committedAt) / 1000
    if (lag !== undefined) metrics.feedLag.observe({ feed }, lag)
    return {
      ...(moves && { sources: [...this.#named.sources.keys()].sort() }),
      ...(partitions.length > 0 && { appliedAt: now }),
      ...(heartbeat && { heartbeatAt: now }),
      ...((heartbeat || partitions.length > 0) && { error: null }),
      ...(lag !== undefined && { lag }),
      ...(waiting && { waitingRows: waiting.rows, waitingBytes: waiting.bytes ?? null }),
    }
  }

  async #recordFailure(error: unknown): Promise<void> {
    const { store, log, metrics } = this.#engine
    const { name } = this.#named
    log.error({ feed: name, error: messageOf(error) }, 'a feed failed and is opened again')
    metrics.feedRestarts.inc({ feed: name })
    const { fence, restarts } = await readFeed(store, name)
    await storeStep(store, name, { fence, status: { error: messageOf(error), restarts: restarts + 1 }, proofs: [] })
  }
}

const lostError = (feed: string): SyncError =>
  new SyncError('backend_failed', `The feed ${feed}: another process took it over, or the server stops.`)

/** A feed with the sources that share it. */
export interface FeedOfSources extends NamedFeed {
  readonly feed: Feed
}

/** Groups sources by feed. Throws `value_not_allowed` for a shared feed without a name, and for two feeds with one name. */
export function feedsOf(sources: readonly Source[]): readonly FeedOfSources[] {
  const byFeed = new Map<Feed, Map<string, Source>>()
  for (const source of sources) {
    if (source.feed === undefined) continue
    byFeed.set(source.feed, (byFeed.get(source.feed) ?? new Map()).set(source.name, source))
  }
  const named = [...byFeed].map(([feed, shared]) => ({ feed, name: nameOf(feed, [...shared.keys()]), sources: shared }))
  for (const { name } of named)
    if (named.filter(one => one.name === name).length > 1)
      throw new SyncError('value_not_allowed', `feed.name: expected one feed called ${name}, got two. Rename one.`)
  return named
}

function nameOf({ name }: Feed, sources: readonly string[]): string {
  const [only] = sources
  const found = name ?? (sources.length === 1 ? only : undefined)
  if (found !== undefined && found !== '') return found
  throw new SyncError(
    'value_not_allowed',
    `feed.name: expected a name for the feed of ${sources.join(', ')}, got none.`,
  )
}
