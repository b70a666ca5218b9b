import type { JsonValue } from '@godwit/protocol'
import { eventText, HEARTBEAT } from './event-text.js'

/** The session and client of a stream. */
export interface StreamOwner {
  readonly login: string
  /** The id of the session. */
  readonly credential: string
  readonly client: string
}

/** The number of unread pings kept for a slow reader. */
const MAX_PINGS = 16
/** Milliseconds for which a reader whose session ended may read the remaining events. */
const FLUSH_TIME = 1000
const DONE: IteratorResult<string> = { done: true, value: undefined }

/** The hub functions that a stream needs. */
export interface StreamHost {
  /** Resolves when events are received. Throws if the server accepts no more streams. */
  join(stream: EventStream): Promise<void>
  leave(stream: EventStream): void
  /** Returns until when heartbeats need no further session check, in milliseconds since 1970; undefined if the stream has to end. */
  mayListen(listener: StreamOwner): Promise<number | undefined>
  /** Milliseconds since 1970. */
  now(): number
  /** Returns the data of a `check` event: the heads of the user's collections, and the milliseconds over which devices spread. */
  check(listener: StreamOwner): Promise<{ readonly [name: string]: JsonValue; readonly within: number }>
}

/**
 * The event stream of one device. Its queue is a set of source names and a few pings; it begins with `check`, re-checks the session before each
 * event, and is closed if its reader is slower than two heartbeats.
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
  /** When the session was last checked, and until when that is valid, in milliseconds since 1970. */
  #lookedAt = 0
  #allowedUntil = 0
  /** The last announced milliseconds over which devices spread. */
  #within = 0
  #spread: number | undefined
  #checkTimer: NodeJS.Timeout | undefined
  #wake: (() => void) | undefined

  constructor(host: StreamHost, listener: StreamOwner) {
    this.#host = host
    this.listener = listener
  }

  /** Aborted when the reader is dropped in the middle of a response. */
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

  /** Queues a change event. `facts`: the head of the collection and the spread in milliseconds; the latest ones are sent. */
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

  /**
   * Sends a heartbeat, or closes the stream if the last one is unread. `within`: the spread in milliseconds, announced if it differs widely from the
   * last one.
   */
  beat(within = this.#within): void {
    if (this.#beat) return void this.giveUp()
    this.#beat = true
    if (isFar(within, this.#within)) this.#spread = within
    this.#wakeReader()
  }

  /** Ends the stream with an event that says over how many milliseconds to spread the reconnect. */
  stop(within: number): void {
    this.end()
    this.#spread = within
  }

  /** Awaits a session check and ends the stream if it fails. If the check rejects, the next heartbeat repeats it. */
  async look(sessionCheck: Promise<number | undefined>): Promise<void> {
    this.#allowedUntil = 0
    const until = await sessionCheck
    this.#scheduleCheck(until)
    if (until !== undefined) return
    this.end()
    // A reader that does not read would keep the connection open.
    setTimeout(() => this.#abortController.abort(), FLUSH_TIME).unref()
  }

  /** Ends the stream after the queued events. */
  end(): void {
    this.#hasEnded = true
    this.#spread = undefined
    clearTimeout(this.#checkTimer)
    this.#host.leave(this)
    this.#wakeReader()
  }

  /** Ends the stream at once, without a last event, because the connection is lost. */
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
    this.#scheduleCheck(until)
    return until !== undefined
  }

  #scheduleCheck(until = 0): void {
    this.#lookedAt = this.#host.now()
    this.#allowedUntil = until
  }

  /** True while the last session check is valid. A check time in the future is from before the clock was set back. */
  #isAllowed(): boolean {
    const now = this.#host.now()
    return now >= this.#lookedAt && now < this.#allowedUntil
  }

  /** Returns the text of the queued events, if the session still allows it. */
  async #takeText(): Promise<string | undefined> {
    try {
      if (this.#isOnlyHeartbeat() && this.#isAllowed()) return this.#text()
      if (await this.#mayListen()) {
        const isCheck = this.#check
        // Changes that this read may miss are announced by the next event.
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

  /** Returns the `spread` event for devices that lose their streams. */
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

/** Milliseconds below which a spread makes no difference. */
const MIN_SPREAD = 100

/** True if the values differ by a factor of two or more. */
const isFar = (within: number, announced: number): boolean =>
  Math.max(within, announced) >= MIN_SPREAD && (within >= 2 * announced || announced >= 2 * within)
