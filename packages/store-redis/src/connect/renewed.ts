import { setTimeout as pause } from 'node:timers/promises'
import { SyncError } from '@godwit/protocol'
import { closedError } from '../failure.js'
import { inTime } from '../in-time.js'
import type { RedisHandle } from '../redis-handle.js'
import { CONNECT_TIMEOUT, pauseAfter } from './node-options.js'
import { PATIENCE } from './patience.js'
import { watchForSilence } from './silence.js'

/** What a handle is renewed from. */
export interface Opening {
  /** The one in use, if there is one: opening may answer it, where it is still the right one. */
  readonly present: RedisHandle | undefined
  /** Lets go of the one in use: what is under way on it rejects. */
  letGo(): void
  /** To be called when the connection of the opened one is over. */
  broke(): void
}

type Open = (opening: Opening) => Promise<RedisHandle>

interface Kind {
  /** It reaches several servers: that one of them is silent is no reason to let go of it before there is another. */
  readonly hasOthers: boolean
  /** Called when nothing will be opened any more. */
  readonly over?: () => void
}

interface Subscription {
  readonly channel: string
  readonly heard: (message: string) => void
  readonly lost: () => void
  end: () => Promise<void>
}

const ENDED = async (): Promise<void> => undefined

/**
 * One connection after the other. What was sent over one is never sent over the next: clients of libraries do that, and then what is not idempotent may be
 * done twice. Subscriptions stand again on the next.
 */
export class Renewed {
  readonly #open: Open
  readonly #kind: Kind
  readonly #subscriptions = new Set<Subscription>()
  #present: { readonly handle: RedisHandle; readonly unwatch: () => void } | undefined
  #opening: Promise<RedisHandle> | undefined
  /** Since the last attempt began. */
  #isStale = false
  #isClosed = false

  constructor(open: Open, kind: Kind) {
    this.#open = open
    this.#kind = kind
  }

  /** Tries again for so many milliseconds, in which another server may just be taking over. Rejects with what was wrong last. */
  async first(milliseconds: number): Promise<void> {
    await this.#next(Date.now() + milliseconds)
  }

  /** What comes while there is no connection waits for the next one. */
  use<Result>(work: (handle: RedisHandle) => Promise<Result>): Promise<Result> {
    return this.#present ? work(this.#present.handle) : inTime(this.#next(), PATIENCE).then(work)
  }

  async subscribe(channel: string, heard: (message: string) => void, lost: () => void): Promise<() => Promise<void>> {
    const end = await this.use(handle => handle.subscribe(channel, heard, lost))
    const subscription = { channel, heard, lost, end }
    this.#subscriptions.add(subscription)
    return async () => {
      this.#subscriptions.delete(subscription)
      await subscription.end()
    }
  }

  /** Looks for the next one. The present one is used meanwhile. */
  renew(): void {
    this.#isStale = true
    if (!this.#isClosed) void this.#next().catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#end()
    this.#present?.unwatch()
    await this.#present?.handle.close()
  }

  destroy(): void {
    this.#end()
    this.#letGo()
  }

  #end(): void {
    this.#isClosed = true
    this.#kind.over?.()
  }

  #next(until = Number.POSITIVE_INFINITY): Promise<RedisHandle> {
    this.#opening ??= this.#tryUntil(until).finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #tryUntil(until: number): Promise<RedisHandle> {
    for (let attempt = 1; !this.#isClosed; attempt++) {
      try {
        this.#isStale = false
        const handle = await this.#tryOnce()
        if (!this.#isStale) return handle
      } catch (error) {
        if (Date.now() >= until) throw error
        await pause(pauseAfter(attempt), undefined, { ref: false })
      }
    }
    throw closedError()
  }

  async #tryOnce(): Promise<RedisHandle> {
    let isLost = false
    const broke = (): void => {
      isLost = true
      if (this.#present?.handle !== handle) return
      this.#letGo()
      this.renew()
    }
    const present = this.#present?.handle
    const handle = await this.#open({ present, letGo: () => this.#letGo(), broke })
    if (handle === present) return handle
    try {
      const ends = await inTime(this.#subscribeAll(handle), CONNECT_TIMEOUT)
      if (isLost) throw new SyncError('store_unavailable', 'Redis broke the connection at once.')
      if (this.#isClosed) throw closedError()
      if ([...this.#subscriptions].some(one => !ends.has(one)))
        throw new Error('Somebody subscribed to the former one.')
      this.#letGo()
      for (const [subscription, end] of ends) this.#moveOn(subscription, end)
    } catch (error) {
      handle.destroy()
      throw error
    }
    this.#present = { handle, unwatch: watchForSilence(handle, () => this.#leave()) }
    for (const { lost } of this.#subscriptions) lost()
    return handle
  }

  async #subscribeAll(handle: RedisHandle): Promise<ReadonlyMap<Subscription, () => Promise<void>>> {
    const ends = new Map<Subscription, () => Promise<void>>()
    for (const one of this.#subscriptions) ends.set(one, await handle.subscribe(one.channel, one.heard, one.lost))
    return ends
  }

  /** Nobody may want it any more. */
  #moveOn(subscription: Subscription, end: () => Promise<void>): void {
    if (this.#subscriptions.has(subscription)) subscription.end = end
    else void end().catch(() => undefined)
  }

  #leave(): void {
    if (!this.#kind.hasOthers) this.#letGo()
    this.renew()
  }

  #letGo(): void {
    for (const subscription of this.#subscriptions) subscription.end = ENDED
    this.#present?.unwatch()
    this.#present?.handle.destroy()
    this.#present = undefined
  }
}
