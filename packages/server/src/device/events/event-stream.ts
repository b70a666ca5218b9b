import { type JsonValue, type SourceKey, sourceKeyText } from '@godwit/protocol'
import { SseStream, sseText } from '../../base/sse-stream.js'

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
 * The event stream of one device. Its queue is a set of sources and partitions and a few pings; it begins with `check`, and re-checks the session before each
 * event.
 */
export class EventStream extends SseStream {
  readonly listener: StreamOwner
  readonly #host: StreamHost
  readonly #changedSources = new Map<string, { readonly [name: string]: JsonValue }>()
  #pings: { readonly [name: string]: JsonValue }[] = []
  #check = true
  #access = false
  /** When the session was last checked, and until when that is valid, in milliseconds since 1970. */
  #lookedAt = 0
  #allowedUntil = 0
  /** The last announced milliseconds over which devices spread. */
  #within = 0
  #spread: number | undefined
  #checkTimer: NodeJS.Timeout | undefined

  constructor(host: StreamHost, listener: StreamOwner) {
    super()
    this.#host = host
    this.listener = listener
  }

  /** Queues a change event. `facts`: the head of the collection and the spread in milliseconds; the latest ones are sent. */
  change(key: SourceKey, facts: { readonly [name: string]: JsonValue } = {}): void {
    const { source, parameters } = key
    this.#changedSources.set(sourceKeyText(key), { source, ...(parameters && { parameters }), ...facts })
    this.wake()
  }

  /** Tells the device to pull after the given milliseconds. */
  checkIn(milliseconds: number): void {
    this.#checkTimer ??= setTimeout(() => {
      this.#checkTimer = undefined
      this.#check = true
      this.wake()
    }, milliseconds).unref()
  }

  /** Tells the device to ask for the list of its user's partitions again. */
  access(): void {
    this.#access = true
    this.wake()
  }

  ping(message: { readonly [name: string]: JsonValue }): void {
    if (this.#pings.length >= MAX_PINGS) return void this.giveUp()
    this.#pings.push(message)
    this.wake()
  }

  /** `within`: the spread in milliseconds, announced if it differs widely from the last one. */
  override beat(within = this.#within): void {
    if (!this.hasHeartbeat && isFar(within, this.#within)) this.#spread = within
    super.beat()
  }

  /** Ends the stream with an event that says over how many milliseconds to spread the reconnect. */
  stop(within: number): void {
    this.close()
    this.#spread = within
  }

  /** Awaits a session check and ends the stream if it fails. If the check rejects, the next heartbeat repeats it. */
  async look(sessionCheck: Promise<number | undefined>): Promise<void> {
    this.#allowedUntil = 0
    const until = await sessionCheck
    this.#scheduleCheck(until)
    if (until !== undefined) return
    this.close()
    // A reader that does not read would keep the connection open.
    setTimeout(() => this.abort(), FLUSH_TIME).unref()
  }

  override close(): void {
    this.#spread = undefined
    clearTimeout(this.#checkTimer)
    super.close()
  }

  protected override join(): Promise<void> {
    return this.#host.join(this)
  }

  protected override leave(): void {
    this.#host.leave(this)
  }

  /** Returns the text of the queued events, if the session still allows it. */
  protected override async take(): Promise<string> {
    if (this.hasEnded) return this.#spread === undefined ? '' : this.#spreadText()
    const hasEvents = this.#check || this.#access || this.#pings.length > 0 || this.#changedSources.size > 0
    if (!hasEvents && !this.hasHeartbeat) return ''
    try {
      if (!hasEvents && this.#isAllowed()) return this.#text()
      if (await this.#mayListen()) {
        const isCheck = this.#check
        // Changes that this read may miss are announced by the next event.
        this.#check = false
        return this.#text(isCheck ? await this.#host.check(this.listener) : undefined)
      }
    } catch (error) {
      this.close()
      throw error
    }
    this.close()
    return ''
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

  #text(check?: { readonly [name: string]: JsonValue; readonly within: number }): string {
    const parts = this.#pings.map(message => sseText('ping', message))
    if (check) parts.unshift(sseText('check', check))
    if (check) this.#within = check.within
    if (this.#access) parts.push(sseText('access', {}))
    this.#access = false
    for (const facts of this.#changedSources.values()) parts.push(sseText('change', facts))
    this.#changedSources.clear()
    if (this.#spread !== undefined) parts.push(this.#spreadText())
    parts.push(this.takeHeartbeat())
    this.#pings = []
    return parts.join('')
  }

  /** Returns the `spread` event for devices that lose their streams. */
  #spreadText(): string {
    this.#within = this.#spread ?? 0
    this.#spread = undefined
    return sseText('spread', { within: this.#within })
  }
}

/** Milliseconds below which a spread makes no difference. */
const MIN_SPREAD = 100

/** True if the values differ by a factor of two or more. */
const isFar = (within: number, announced: number): boolean =>
  Math.max(within, announced) >= MIN_SPREAD && (within >= 2 * announced || announced >= 2 * within)
