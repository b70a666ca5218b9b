import type { JsonValue } from '@godwit/protocol'
import { eventText, HEARTBEAT } from './event-text.js'

/** Whose stream it is. */
export interface StreamOwner {
  readonly login: string
  /** The id of the session. */
  readonly credential: string
  readonly client: string
}

/** How many pings wait for a slow reader at most. */
const MAX_PINGS = 16
/** How long a reader whose session is over has to read what was told, in milliseconds. */
const FLUSH_TIME = 1000
const DONE: IteratorResult<string> = { done: true, value: undefined }

/** What a stream needs of the hub it belongs to. */
export interface StreamHost {
  /** Resolves when events are heard from then on; throws when the server takes no more streams. */
  join(stream: EventStream): Promise<void>
  leave(stream: EventStream): void
  /** Until when heartbeats may go on unasked, in milliseconds since 1970. Undefined: the stream has to end. */
  mayListen(listener: StreamOwner): Promise<number | undefined>
  /** Milliseconds since 1970. */
  now(): number
  /** What `check` tells: where the collections of the user stand, and over how many milliseconds devices spread. */
  check(listener: StreamOwner): Promise<{ readonly [name: string]: JsonValue; readonly within: number }>
}

/**
 * The event stream of one device: what waits is a set of source names and a few pings, never a growing text, and each event is preceded by a look at the
 * session. It begins with `check` (subscribe first, pull once then); a reader slower than two heartbeats is cut off, comes back and checks.
 */
export class EventStream implements AsyncIterableIterator<string> {
  readonly listener: StreamOwner
  readonly #host: StreamHost
  readonly #abortController = new AbortController()
  readonly #changedSources = new Map<string, { readonly [name: string]: JsonValue }>()
  #pings: { readonly [name: string]: JsonValue }[] = []
  #check = true
  #beat = false
  #hasJoined = false
  #hasEnded = false
  /** When the rights were last looked at, and until when that counts, in milliseconds since 1970. */
  #lookedAt = 0
  #allowedUntil = 0
  /** The milliseconds over which devices spread, as this one was last told. */
  #within = 0
  #spread: number | undefined
  #checkTimer: NodeJS.Timeout | undefined
  #wake: (() => void) | undefined

  constructor(host: StreamHost, listener: StreamOwner) {
    this.#host = host
    this.listener = listener
  }

  /** Aborted when the reader is given up in the middle of an answer. */
  get cut(): AbortSignal {
    return this.#abortController.signal
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<string>> {
    if (!this.#hasJoined) {
      this.#hasJoined = true
      await this.#host.join(this)
    }
    while (!this.#hasEnded) {
      const text = this.#hasPending() ? await this.#takeText() : await this.#untilWoken()
      if (text !== undefined) return { done: false, value: text }
    }
    return this.#spread === undefined ? DONE : { done: false, value: this.#spreadText() }
  }

  async return(): Promise<IteratorResult<string>> {
    this.end()
    return DONE
  }

  /** `facts`: where the collection stands, and over how many milliseconds devices spread. The latest are told. */
  change(source: string, facts: { readonly [name: string]: JsonValue } = {}): void {
    this.#changedSources.set(source, facts)
    this.#wakeReader()
  }

  /** Tells the device to pull after the given milliseconds. */
  checkIn(milliseconds: number): void {
    this.#checkTimer ??= setTimeout(() => {
      this.#checkTimer = undefined
      this.#check = true
      this.#wakeReader()
    }, milliseconds).unref()
  }

  ping(message: { readonly [name: string]: JsonValue }): void {
    if (this.#pings.length >= MAX_PINGS) return void this.giveUp()
    this.#pings.push(message)
    this.#wakeReader()
  }

  /** A heartbeat; the one before must have been read by now. `within`: the milliseconds over which devices spread, told when that is far from what was. */
  beat(within = this.#within): void {
    if (this.#beat) return void this.giveUp()
    this.#beat = true
    if (isFar(within, this.#within)) this.#spread = within
    this.#wakeReader()
  }

  /** Ends with the milliseconds over which devices spread before they connect again. */
  stop(within: number): void {
    this.end()
    this.#spread = within
  }

  /** Checks that the session still stands: waits for `asked`, and tries again with the next heartbeat if that fails. */
  async look(asked: Promise<number | undefined>): Promise<void> {
    this.#allowedUntil = 0
    const until = await asked
    this.#noteLook(until)
    if (until !== undefined) return
    this.end()
    // A reader that takes nothing would keep the connection.
    setTimeout(() => this.#abortController.abort(), FLUSH_TIME).unref()
  }

  /** Ends after what was told. */
  end(): void {
    this.#hasEnded = true
    this.#spread = undefined
    clearTimeout(this.#checkTimer)
    this.#host.leave(this)
    this.#wakeReader()
  }

  /** Ends at once, without a last event: the connection is gone. */
  giveUp(): void {
    this.end()
    this.#abortController.abort()
  }

  #hasPending(): boolean {
    return this.#check || this.#beat || this.#pings.length > 0 || this.#changedSources.size > 0
  }

  #isOnlyHeartbeat(): boolean {
    return !this.#check && this.#pings.length === 0 && this.#changedSources.size === 0
  }

  async #mayListen(): Promise<boolean> {
    const until = await this.#host.mayListen(this.listener)
    this.#noteLook(until)
    return until !== undefined
  }

  #noteLook(until = 0): void {
    this.#lookedAt = this.#host.now()
    this.#allowedUntil = until
  }

  /** A look that lies ahead of the clock was before it was set back. */
  #isAllowed(): boolean {
    const now = this.#host.now()
    return now >= this.#lookedAt && now < this.#allowedUntil
  }

  /** What is to be told, if it may be. */
  async #takeText(): Promise<string | undefined> {
    try {
      if (this.#isOnlyHeartbeat() && this.#isAllowed()) return this.#text()
      if (await this.#mayListen()) {
        const isCheck = this.#check
        // What may have been missed while it is read is told by the next one.
        this.#check = false
        return this.#text(isCheck ? await this.#host.check(this.listener) : undefined)
      }
    } catch (error) {
      this.end()
      throw error
    }
    this.end()
    return undefined
  }

  #untilWoken(): Promise<undefined> {
    return new Promise(resolve => {
      this.#wake = () => resolve(undefined)
    })
  }

  #text(check?: { readonly [name: string]: JsonValue; readonly within: number }): string {
    const parts = this.#pings.map(message => eventText('ping', message))
    if (check) parts.unshift(eventText('check', check))
    if (check) this.#within = check.within
    for (const [source, facts] of this.#changedSources) parts.push(eventText('change', { source, ...facts }))
    this.#changedSources.clear()
    if (this.#spread !== undefined) parts.push(this.#spreadText())
    if (this.#beat) parts.push(HEARTBEAT)
    this.#beat = false
    this.#pings = []
    return parts.join('')
  }

  /** Over how many milliseconds devices spread that lose their streams. */
  #spreadText(): string {
    this.#within = this.#spread ?? 0
    this.#spread = undefined
    return eventText('spread', { within: this.#within })
  }

  #wakeReader(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}

/** Milliseconds below which it makes no difference over how many devices spread. */
const MIN_SPREAD = 100

/** Half or less of it, or twice or more. */
const isFar = (within: number, told: number): boolean =>
  Math.max(within, told) >= MIN_SPREAD && (within >= 2 * told || told >= 2 * within)
