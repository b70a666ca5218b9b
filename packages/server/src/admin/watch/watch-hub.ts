import { mayCall, SyncError } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import { apiCredentialOf } from '../../accounts/access/credentials.js'
import { findUser } from '../../accounts/users/user-record.js'
import type { ReportedEvent } from '../../base/reporter.js'
import type { AdminEngine } from '../admin-engine.js'
import { EVENT_CHANNEL, type EventBatch, SAY_AGAIN, WATCH_CHANNEL } from './channels.js'
import { type Watcher, type WatchHost, WatchStream } from './watch-stream.js'
import type { WatchStreams } from './watch-streams.js'

/** The last events, for streams that resume after a disconnect. */
export class RecentEvents {
  readonly #capacity: number
  #events: ReportedEvent[] = []

  constructor(most: number) {
    this.#capacity = most
  }

  add(event: ReportedEvent): void {
    this.#events.push(event)
    // Trimmed at twice the capacity, since trimming moves all events.
    if (this.#events.length >= this.#capacity * 2) this.#events = this.#events.slice(-this.#capacity)
  }

  /** Returns the events after the given one; undefined if that event is unknown or no longer kept. */
  after(id: string): readonly ReportedEvent[] | undefined {
    const at = this.#events.findLastIndex(event => event.id === id)
    return at < 0 ? undefined : this.#events.slice(at + 1)
  }

  clear(): void {
    this.#events = []
  }
}

/** The number of streams of a user in one process; one more ends the oldest. */
export const MAX_STREAMS = 20
/** The number of events kept for streams that reconnect. */
const MAX_RECENT_EVENTS = 1000
/** Milliseconds for which events are still received after the last stream ended. */
const UNSUBSCRIBE_DELAY = 60_000

type WatchHubEngine = Pick<AdminEngine, 'store' | 'clock' | 'log' | 'limits'>

/** The watch streams of this process, over one subscription to the events of all processes. Without a watcher nothing is received or kept. */
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

  /** The number of open streams. */
  get size(): number {
    return this.#streams.size
  }

  /** Returns a stream that joins the hub at its first read. */
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
    stream.send({ kind: 'stream_started', resumed: missed !== undefined, time: this.now() })
    for (const event of missed ?? []) stream.send(event)
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

  /** Ends every stream with the reason `stopping`, and accepts no more. */
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
    work.catch(error =>
      this.#engine.log.debug({ error: messageOf(error) }, 'could not announce a watcher of the server'),
    )
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
      for (const stream of [...this.#streams]) stream.send(event)
    }
    if (missed) this.#reportMissed()
  }

  /** Clears the recent events and reports a gap, so that resuming streams do not assume that they are complete. */
  #reportMissed(): void {
    this.#recent.clear()
    for (const stream of [...this.#streams]) stream.send({ kind: 'events_missed', time: this.now() })
  }
}
