import { messageOf, type Source } from '@godwit/source'
import type { CollectionId, Head } from '@godwit/store'
import { ConcurrencyLimiter } from '../../base/concurrency-limiter.js'
import type { BackendEngine } from '../backend-engine.js'
import { pendingPages } from '../sources/collections-of.js'
import { findCollection } from '../sources/partition-of.js'
import { isReadable, readInterval } from '../sources/reads.js'
import { runDueQuery } from './request-query.js'
import { isDue } from './schedule.js'

/** The engine, with what knows who listens. */
export interface ListeningEngine extends BackendEngine {
  readonly hub: Listeners
  /** True if there is a user with this login. */
  readonly isUser: (login: string) => Promise<boolean>
}

/** The users with an open event stream. */
interface Listeners {
  /** The logins of users with an open stream. */
  logins(): Iterable<string>
  isListening(login: string): boolean
  /** Calls the listener at each change of a collection that this process hears of, which it does while streams are open. */
  onChange(listener: (collection: CollectionId) => void): void
  /** Tells the listening devices of a source to pull. */
  refresh(source: string): void
}

/** A partition whose query runs without a pull. */
interface Listed {
  readonly collection: CollectionId
  /** Those who listen. */
  readonly users: Set<string>
  /** When its head is read next, in milliseconds of a monotonic clock. */
  lookAt: number
  /** True until its head was read. */
  isNew: boolean
  isBusy: boolean
}

/** Milliseconds between two turns: how late a query begins at most, if its source has a place. */
const TURN = 250
/** Milliseconds after which a head is read again, since others set its times too, and all listening users are looked through. */
const LOOK = 60_000
/** The same for a partition of a source that is not polled, which a feed made due, and whose query failed. */
const UNPOLLED_PAUSE = 5_000

/**
 * Runs due queries without a pull: of the partitions of listening users, and those that may confirm removals. The process that gets the lease of a
 * partition queries it; one that was due before its users listened is queried within an interval, so that users who come together are spread.
 */
export class DueQueries {
  readonly #engine: ListeningEngine
  readonly #random: () => number
  readonly #now: () => number
  readonly #listed = new Map<string, Listed>()
  /** The users whose partitions are listed. */
  readonly #known = new Set<string>()
  readonly #limiters = new Map<string, ConcurrencyLimiter>()
  readonly #running = new Set<Promise<void>>()
  #lookedThroughAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(engine: ListeningEngine, { random = Math.random, now = () => performance.now() } = {}) {
    this.#engine = engine
    this.#random = random
    this.#now = now
  }

  /** The number of partitions that are listed. */
  get size(): number {
    return this.#listed.size
  }

  /** Begins the turns. They never keep the process alive. */
  start(): void {
    this.#timer = setInterval(() => this.turn(), TURN).unref()
    this.#engine.hub.onChange(collection => this.#changed(collection))
  }

  /** Ends the turns, and waits for queries in progress. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#running)
  }

  /** Lists the partitions with removals that were held back, whose devices may stay away, and looks at each. */
  async addPending(): Promise<void> {
    for await (const page of pendingPages(this.#engine.store))
      for (const collection of page) this.#list(collection, 0).lookAt = 0
    this.turn()
  }

  /** Begins the queries whose time has come. */
  turn(): void {
    const { hub, stopping } = this.#engine
    const now = this.#now()
    if (stopping.aborted) return
    if (now - this.#lookedThroughAt >= LOOK) {
      this.#lookedThroughAt = now
      this.#known.clear()
    }
    for (const login of hub.logins()) if (!this.#known.has(login)) this.#add(login, now)
    for (const one of this.#listed.values()) if (one.lookAt <= now && !one.isBusy) this.#begin(one)
  }

  /** The end of a first query is announced, and not that the collection is opened. */
  #changed(collection: CollectionId): void {
    const one = this.#listed.get(keyOf(collection))
    if (one?.isNew) one.lookAt = this.#now()
  }

  #add(login: string, now: number): void {
    this.#known.add(login)
    for (const source of this.#engine.sources.all()) {
      if (!isReadable(source) || (source.pollInterval <= 0 && source.feed === undefined)) continue
      const collection = findCollection(source, login)
      if (collection === undefined) continue
      this.#list(collection, now).users.add(login)
    }
  }

  #list(collection: CollectionId, lookAt: number): Listed {
    const key = keyOf(collection)
    const one = this.#listed.get(key) ?? { collection, users: new Set(), lookAt, isNew: true, isBusy: false }
    this.#listed.set(key, one)
    return one
  }

  #begin(one: Listed): void {
    const { source } = one.collection
    const limiter = this.#limiters.get(source) ?? new ConcurrencyLimiter(this.#engine.limits.pollConcurrency)
    this.#limiters.set(source, limiter)
    one.isBusy = true
    const work = limiter
      .run(() => this.#look(one))
      .catch(error => {
        one.lookAt = this.#now() + LOOK
        this.#engine.log.warn({ error: messageOf(error), ...one.collection }, 'could not start a due query')
      })
      .finally(() => {
        one.isBusy = false
        this.#running.delete(work)
      })
    this.#running.add(work)
  }

  async #look(one: Listed): Promise<void> {
    const { collection } = one
    const source = this.#engine.sources.find(collection.source)
    const head = await this.#head(collection)
    const user = source && (this.#listenerOf(one, source) ?? (await this.#confirmerOf(collection, source, head)))
    if (source === undefined || user === undefined) return void this.#listed.delete(keyOf(collection))
    if (head === undefined) return this.#lookIn(one, LOOK)
    const isFirst = one.isNew
    one.isNew = false
    if (!isDue(source, head, true)) return this.#lookIn(one, untilDue(head))
    if (isFirst && head.pendingRemovals === undefined)
      return this.#lookIn(one, this.#random() * Math.max(readInterval(source), 0) * 1000)
    await runDueQuery(this.#engine, { source, collection, user, parameters: {}, epoch: head.epoch })
    const after = await this.#head(collection)
    const wait = after === undefined || isDue(source, after, true) ? pauseOf(source) : untilDue(after)
    this.#lookIn(one, wait)
  }

  #head(collection: CollectionId): Promise<Head | undefined> {
    return this.#engine.store.collections.head(collection)
  }

  /** Returns a user who listens and has the partition. */
  #listenerOf({ users, collection }: Listed, source: Source): string | undefined {
    for (const user of users) {
      const isHere = findCollection(source, user)?.partition === collection.partition
      if (isHere && this.#engine.hub.isListening(user)) return user
      users.delete(user)
      this.#known.delete(user)
    }
    return undefined
  }

  /** Returns the user for whom a query may confirm removals: who may be in another partition by now, or gone. */
  async #confirmerOf({ partition }: CollectionId, source: Source, head: Head | undefined): Promise<string | undefined> {
    const user = head?.pendingRemovals?.user
    if (user === undefined || findCollection(source, user)?.partition !== partition) return undefined
    return (await this.#engine.isUser(user)) ? user : undefined
  }

  #lookIn(one: Listed, milliseconds: number): void {
    one.lookAt = this.#now() + Math.min(milliseconds, LOOK)
  }
}

const keyOf = ({ source, partition }: CollectionId): string => JSON.stringify([source, partition])

/** Milliseconds until the next query, both times by the store's clock. */
const untilDue = ({ nextQuery, readAt }: Head): number =>
  nextQuery === undefined ? LOOK : Math.max(0, nextQuery - readAt)

/** Milliseconds before a partition that is still due is looked at: it waits for another process, or was requested again. */
const pauseOf = (source: Source): number => {
  const interval = readInterval(source)
  return Math.max(Math.min(interval > 0 ? interval * 1000 : UNPOLLED_PAUSE, LOOK), source.settle * 1000)
}
