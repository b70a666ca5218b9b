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

/** The present connection and callbacks for opening the next one. */
export interface OpenContext {
  /** The present connection, if any. Opening may return it if it is still the right one. */
  readonly present: RedisHandle | undefined
  /** Closes the present connection; commands in progress reject. */
  letGo(): void
  /** Call this when the opened connection is lost. */
  broke(): void
}

type OpenHandle = (opening: OpenContext) => Promise<RedisHandle>

interface ConnectionKind {
  /** True if it reaches several servers: it then stays in use until its replacement is open, though one server does not respond. */
  readonly hasOthers: boolean
  /** Called when no further connection will be opened. */
  readonly over?: () => void
}

/**
 * A connection that is replaced when lost; subscriptions move to the replacement. A command is never resent on another connection, so nothing that is
 * not idempotent runs twice.
 */
export class RenewableConnection {
  readonly #open: OpenHandle
  readonly #kind: ConnectionKind
  readonly #subscriptions = new Subscriptions()
  readonly #waiting = new SharedWait<RedisHandle>()
  #present: { readonly handle: RedisHandle; readonly unwatch: () => void } | undefined
  #opening: Promise<RedisHandle> | undefined
  /** True if a renewal was requested since the last attempt began. */
  #isStale = false
  #isClosed = false

  constructor(open: OpenHandle, kind: ConnectionKind) {
    this.#open = open
    this.#kind = kind
  }

  /** Opens the first connection. Retries for this number of milliseconds, in which another server may take over, then rejects with the last error. */
  async first(milliseconds: number): Promise<void> {
    await this.#next(Date.now() + milliseconds)
  }

  /** Runs work on the present connection, or waits for the next one. */
  use<Result>(work: (handle: RedisHandle) => Promise<Result>): Promise<Result> {
    return this.#present ? work(this.#present.handle) : this.#waiting.wait(this.#next(), COMMAND_TIMEOUT).then(work)
  }

  subscribe(channel: string, heard: (message: string) => void, lost: () => void): Promise<() => Promise<void>> {
    return this.use(handle => this.#subscriptions.add(handle, channel, heard, lost))
  }

  /** Opens a replacement; the present connection stays in use meanwhile. */
  renew(): void {
    this.#isStale = true
    if (!this.#isClosed) void this.#next().catch(() => undefined)
  }

  /** Closes the connection; does not wait for a server that does not respond. */
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
    this.#subscriptions.notifyLost()
    return handle
  }

  /** Called when the present connection is lost or does not respond. */
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
