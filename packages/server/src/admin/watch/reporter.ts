import { type Log, messageOf } from '@godwit/source'
import type { Store } from '@godwit/store'
import type { ReportedEvent, Reporter, WithoutId } from '../../base/reporter.js'
import { EVENT_CHANNEL, type EventBatch, WATCH_CHANNEL, WATCHED_FOR } from './channels.js'

interface ReporterOptions {
  readonly store: Pick<Store, 'events'>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** The id of this process, which is the prefix of its event ids. */
  readonly process: string
}

/** Milliseconds for which events are collected into one message. */
const GATHER = 20
/** The number of events collected at most; the rest is reported as missed. */
const MAX_WAITING = 500
/** The longest text in characters, since messages of backends may have any length. */
const MAX_TEXT = 500

/** Publishes events over the store while there is a watcher. */
export class StoreReporter implements Reporter {
  readonly #options: ReporterOptions
  #watchedUntil = 0
  #sequence = 0
  #unpublished: ReportedEvent[] = []
  #hasMissed = false
  #publishTimer: NodeJS.Timeout | undefined
  #subscription: Promise<() => Promise<void>> | undefined

  constructor(options: ReporterOptions) {
    this.#options = options
  }

  start(): void {
    this.#subscription ??= this.#options.store.events.subscribe(WATCH_CHANNEL, () => this.watched())
    this.#subscription.catch(error => {
      this.#subscription = undefined
      this.#options.log.warn({ error: messageOf(error) }, 'could not subscribe to watchers of the server')
    })
    this.#enqueue({ kind: 'server_started', process: this.#options.process })
  }

  async stop(): Promise<void> {
    this.#enqueue({ kind: 'server_stopping', process: this.#options.process })
    await this.#publish()
    const end = await this.#subscription?.catch(() => undefined)
    this.#subscription = undefined
    await end?.()
  }

  /** Records that there is a watcher, for `WATCHED_FOR` by the monotonic clock. */
  watched(): void {
    this.#watchedUntil = performance.now() + WATCHED_FOR
  }

  get isWatched(): boolean {
    return performance.now() < this.#watchedUntil
  }

  report(event: WithoutId<ReportedEvent>): void {
    if (this.isWatched) this.#enqueue(event)
  }

  #enqueue(event: WithoutId<ReportedEvent>): void {
    if (this.#unpublished.length >= MAX_WAITING) {
      this.#hasMissed = true
      return
    }
    const { process, clock } = this.#options
    const id = `${process}-${++this.#sequence}`
    this.#unpublished.push(truncateError({ ...event, id, time: new Date(clock()).toISOString() } as ReportedEvent))
    this.#publishTimer ??= setTimeout(() => void this.#publish(), GATHER).unref()
  }

  async #publish(): Promise<void> {
    clearTimeout(this.#publishTimer)
    this.#publishTimer = undefined
    const batch = { events: this.#unpublished, missed: this.#hasMissed } satisfies EventBatch
    this.#unpublished = []
    this.#hasMissed = false
    await this.#options.store.events.publish(EVENT_CHANNEL, batch as never).catch(error => {
      this.#hasMissed = true
      this.#options.log.debug({ error: messageOf(error) }, 'could not publish events')
    })
  }
}

function truncateError(event: ReportedEvent): ReportedEvent {
  if (!('error' in event) || event.error.message.length <= MAX_TEXT) return event
  return { ...event, error: { ...event.error, message: `${event.error.message.slice(0, MAX_TEXT).toWellFormed()}…` } }
}
