import { mayCall, SyncError } from '@godwit/protocol'
import { apiCredentialOf } from '../access/credentials.js'
import type { Engine } from '../engine.js'
import { messageOf } from '../sources/refusal.js'
import { findUser } from '../users/user-record.js'
import { EVENT_CHANNEL, type EventBatch, SAY_AGAIN, WATCH_CHANNEL } from './channels.js'
import type { ReportedEvent } from './reporter.js'
import { type Watcher, type WatchHost, WatchStream } from './watch-stream.js'
import type { WatchStreams } from './watch-streams.js'

/** The last events, for streams that go on where they broke off. */
export class RecentEvents {
  readonly #capacity: number
  #events: ReportedEvent[] = []

  constructor(most: number) {
    this.#capacity = most
  }

  add(event: ReportedEvent): void {
    this.#events.push(event)
    // Cut now and then, not at each event: that would move all of them.
    if (this.#events.length >= this.#capacity * 2) this.#events = this.#events.slice(-this.#capacity)
  }

  /** What came after an event. Undefined: it is forgotten, or was never heard of. */
  after(id: string): readonly ReportedEvent[] | undefined {
    const at = this.#events.findLastIndex(event => event.id === id)
    return at < 0 ? undefined : this.#events.slice(at + 1)
  }

  clear(): void {
    this.#events = []
  }
}

/** How many streams a user may have open in one process; one more ends the oldest. */
export const MAX_STREAMS = 20
/** How many events are kept for streams that reconnect. */
const MAX_RECENT_EVENTS = 1000
/** Milliseconds for which events are received after the last stream ended. */
const UNSUBSCRIBE_DELAY = 60_000

type WatchHubEngine = Pick<Engine, 'store' | 'clock' | 'log' | 'limits'>

/** The streams of those who watch the server, behind one subscription to the events of all its processes. Nothing is heard and kept unless somebody watches. */
export class WatchHub implements WatchHost, WatchStreams {
  readonly #engine: WatchHubEngine
  readonly #streams = new Set<WatchStream>()
  readonly #recent = new RecentEvents(MAX_RECENT_EVENTS)
  #subscription: Promise<() => Promise<void>> | undefined
  #renewal: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #leftAt = 0
  #isClosed = false

  constructor(engine: WatchHubEngine) {
    this.#engine = engine
  }

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size
  }

  /** A stream that joins when it is first read. */
  open(watcher: Watcher): WatchStream {
    if (this.#isClosed) throw new SyncError('store_unavailable', 'The server is stopping. Connect again.')
    return new WatchStream(this, watcher)
  }

  now(): string {
    return new Date(this.#engine.clock()).toISOString()
  }

  async join(stream: WatchStream): Promise<void> {
    const own = [...this.#streams].filter(({ watcher }) => watcher.login === stream.watcher.login)
    if (own.length >= MAX_STREAMS) own[0]?.end('replaced')
    this.#streams.add(stream)
    try {
      await this.#listen()
      await this.#announceWatching()
    } catch (error) {
      this.leave(stream)
      throw error
    }
    if (this.#isClosed) return stream.end('stopping')
    const { after } = stream.watcher
    const missed = after === undefined ? undefined : this.#recent.after(after)
    stream.tell({ kind: 'stream_started', resumed: missed !== undefined, time: this.now() })
    for (const event of missed ?? []) stream.tell(event)
  }

  leave(stream: WatchStream): void {
    if (!this.#streams.delete(stream)) return
    this.#leftAt = performance.now()
    if (this.#streams.size > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }

  async mayWatch({ credential, login }: Watcher): Promise<boolean> {
    const { store, clock } = this.#engine
    const [record, user] = await Promise.all([
      store.registry.get('credential', credential),
      findUser(store.registry, login),
    ])
    const token = apiCredentialOf(record)
    if (!token || !user) return false
    return token.expiresAt > clock() && mayCall(token.role, ['reader'])
  }

  /** Ends every stream, each with its reason, and takes no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stream of [...this.#streams]) stream.end('stopping')
    await this.#unsubscribe()
  }

  async #listen(): Promise<void> {
    this.#heartbeat ??= setInterval(() => {
      for (const stream of [...this.#streams]) stream.beat()
    }, this.#engine.limits.eventHeartbeat * 1000).unref()
    this.#subscription ??= this.#engine.store.events.subscribe(
      EVENT_CHANNEL,
      batch => this.#receive(batch as unknown as EventBatch),
      () => this.#reportMissed(),
    )
    await this.#subscription.catch(error => {
      this.#subscription = undefined
      throw error
    })
    this.#renewal ??= setInterval(() => this.#renewWatching(), SAY_AGAIN).unref()
  }

  #announceWatching(): Promise<void> {
    return this.#engine.store.events.publish(WATCH_CHANNEL, {})
  }

  #renewWatching(): void {
    const isIdle = this.#streams.size === 0 && performance.now() - this.#leftAt > UNSUBSCRIBE_DELAY
    const work = isIdle ? this.#unsubscribe() : this.#announceWatching()
    work.catch(error => this.#engine.log.debug({ error: messageOf(error) }, 'nobody heard that the server is watched'))
  }

  async #unsubscribe(): Promise<void> {
    clearInterval(this.#renewal)
    clearInterval(this.#heartbeat)
    this.#renewal = undefined
    this.#heartbeat = undefined
    const subscription = this.#subscription
    this.#subscription = undefined
    this.#recent.clear()
    const end = await subscription?.catch(() => undefined)
    await end?.()
  }

  #receive({ events, missed }: EventBatch): void {
    for (const event of events as readonly ReportedEvent[]) {
      this.#recent.add(event)
      for (const stream of [...this.#streams]) stream.tell(event)
    }
    if (missed) this.#reportMissed()
  }

  /** Streams that come back must not believe that they heard everything. */
  #reportMissed(): void {
    this.#recent.clear()
    for (const stream of [...this.#streams]) stream.tell({ kind: 'events_missed', time: this.now() })
  }
}
