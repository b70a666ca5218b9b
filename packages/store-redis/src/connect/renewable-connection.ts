import { setTimeout as pause } from 'node:timers/promises'
import { SyncError } from '@godwit/protocol'
import { answerInTime } from '../answer-in-time.js'
import { closedError } from '../failure.js'
import type { RedisHandle } from '../redis-handle.js'
import { COMMAND_TIMEOUT } from './command-timeout.js'
import { CONNECT_TIMEOUT, pauseAfter } from './node-options.js'
import { SharedWait } from './shared-wait.js'
import { watchForSilence } from './silence-watch.js'
import { Subscriptions } from './subscriptions.js'

/** What a handle is renewed from. */
export interface OpenContext {
  /** The one in use, if there is one: opening may answer it, where it is still the right one. */
  readonly present: RedisHandle | undefined
  /** Lets go of the one in use: what is under way on it rejects. */
  letGo(): void
  /** To be called when the connection of the opened one is over. */
  broke(): void
}

type OpenHandle = (opening: OpenContext) => Promise<RedisHandle>

interface ConnectionKind {
  /** It reaches several servers: that one of them is silent is no reason to let go of it before there is another. */
  readonly hasOthers: boolean
  /** Called when nothing will be opened any more. */
  readonly over?: () => void
}

/**
 * One connection after the other; subscriptions stand again on the next. What was sent over one is never sent over the next, as clients of libraries do, so
 * that nothing that is not idempotent is done twice.
 */
export class RenewableConnection {
  readonly #open: OpenHandle
  readonly #kind: ConnectionKind
  readonly #subscriptions = new Subscriptions()
  readonly #waiting = new SharedWait<RedisHandle>()
  #present: { readonly handle: RedisHandle; readonly unwatch: () => void } | undefined
  #opening: Promise<RedisHandle> | undefined
  /** Since the last attempt began. */
  #isStale = false
  #isClosed = false

  constructor(open: OpenHandle, kind: ConnectionKind) {
    this.#open = open
    this.#kind = kind
  }

  /** Retries for the given milliseconds, in which another server may be taking over. Rejects with the last error. */
  async first(milliseconds: number): Promise<void> {
    await this.#next(Date.now() + milliseconds)
  }

  /** What comes while there is no connection waits for the next one. */
  use<Result>(work: (handle: RedisHandle) => Promise<Result>): Promise<Result> {
    return this.#present ? work(this.#present.handle) : this.#waiting.wait(this.#next(), COMMAND_TIMEOUT).then(work)
  }

  subscribe(channel: string, heard: (message: string) => void, lost: () => void): Promise<() => Promise<void>> {
    return this.use(handle => this.#subscriptions.add(handle, channel, heard, lost))
  }

  /** Looks for the next one. The present one is used meanwhile. */
  renew(): void {
    this.#isStale = true
    if (!this.#isClosed) void this.#next().catch(() => undefined)
  }

  /** A server that is gone is not waited for. */
  async close(): Promise<void> {
    this.#end()
    this.#present?.unwatch()
    const closing = this.#present?.handle.close()
    if (closing) await answerInTime(closing, COMMAND_TIMEOUT).catch(() => this.#letGo())
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
    let opened: RedisHandle | undefined
    const broke = (): void => {
      isLost = true
      if (opened !== undefined && this.#present?.handle === opened) this.#leave()
    }
    const present = this.#present?.handle
    const handle = await this.#open({ present, letGo: () => this.#letGo(), broke })
    if (handle === present) return handle
    opened = handle
    try {
      const ends = await answerInTime(this.#subscriptions.on(handle), CONNECT_TIMEOUT)
      if (isLost) throw new SyncError('store_unavailable', 'Redis broke the connection at once. Try again.')
      if (this.#isClosed) throw closedError()
      this.#subscriptions.move(ends)
    } catch (error) {
      handle.destroy()
      throw error
    }
    this.#drop()
    this.#present = { handle, unwatch: watchForSilence(handle, () => this.#leave()) }
    this.#subscriptions.tell()
    return handle
  }

  /** It is over, or silent. */
  #leave(): void {
    if (!this.#kind.hasOthers) this.#letGo()
    this.renew()
  }

  #letGo(): void {
    this.#subscriptions.end()
    this.#drop()
  }

  #drop(): void {
    this.#present?.unwatch()
    this.#present?.handle.destroy()
    this.#present = undefined
  }
}
