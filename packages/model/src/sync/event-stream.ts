import { isSyncError } from '@godwit/protocol'
import { BackOff } from './back-off.js'
import { readEvents, type StreamEvent } from './server-events.js'
import type { Timers } from './timers.js'

export interface EventStreamParts {
  /** Asks the server for its events; throws where it has none to give. */
  readonly open: (signal: AbortSignal) => Promise<Response>
  readonly hear: (event: StreamEvent) => void
  readonly timers: Timers
  /** A share from 0 to 1. */
  readonly random: () => number
}

/** Milliseconds of silence after which a stream counts as broken. The server sends a heartbeat every 25 s. */
export const SILENCE = 60_000

/** Those who ask with a session or a client that is gone ask again only after a sync has found out. */
const ENDS: ReadonlySet<string> = new Set([
  'session_missing',
  'session_expired',
  'logged_out',
  'client_not_found',
  'client_missing',
  'not_your_client',
  'not_a_device_user',
  'route_not_found',
])

/** Keeps an event stream to the server open, and opens it again when it breaks. It begins with `check`, since earlier changes were not announced. */
export class EventStream {
  readonly #parts: EventStreamParts
  #client: string | null = null
  #controller = new AbortController()
  readonly #spread = new ReconnectSpread()
  #cutWait = (): void => {}

  constructor(parts: EventStreamParts) {
    this.#parts = parts
  }

  /** For a client; nothing happens if it listens for that one already. */
  start(client: string): void {
    if (this.#client === client) return
    this.stop()
    this.#client = client
    this.#controller = new AbortController()
    this.#listen(this.#controller.signal).then(
      () => this.#end(client),
      () => this.#end(client),
    )
  }

  stop(): void {
    this.#client = null
    this.#controller.abort()
  }

  /** A stream that waits to be opened again is opened now. */
  again(): void {
    this.#cutWait()
  }

  #end(client: string): void {
    if (this.#client === client) this.#client = null
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(this.#parts.random)
    while (!signal.aborted) {
      const broke = await this.#listenOnce(signal, backOff).catch((cause: unknown) => cause)
      if (signal.aborted || (isSyncError(broke) && ENDS.has(broke.code))) return
      // Also after a failure: who came while the server was down would come back together with those who had more patience.
      const spread = this.#parts.random() * this.#spread.milliseconds
      await this.#wait(Math.max(spread, backOff.failed(retryAfterOf(broke))), signal)
    }
  }

  /** Until the stream ends. One that lived long enough for a heartbeat was a good one. */
  async #listenOnce(signal: AbortSignal, backOff: BackOff): Promise<void> {
    const { open, hear, timers } = this.#parts
    const ended = new AbortController()
    const end = (): void => ended.abort()
    // Not `AbortSignal.any`: a signal that outlives the stream would keep one more for each time it is opened.
    signal.addEventListener('abort', end)
    let cancel = timers.set(end, SILENCE)
    const noteLife = (): void => {
      cancel()
      cancel = timers.set(end, SILENCE)
    }
    try {
      const { body } = await open(ended.signal)
      noteLife()
      this.#spread.begin()
      hear({ kind: 'open' })
      if (!body) return
      for await (const event of readEvents(body, noteLife)) {
        if (event.kind !== 'heartbeat') hear(this.#spreading(event))
        else {
          backOff.succeeded()
          this.#spread.confirm()
        }
      }
    } finally {
      cancel()
      signal.removeEventListener('abort', end)
      end()
    }
  }

  /** Those who came back spread what they lack like their coming back. */
  #spreading(event: StreamEvent): StreamEvent {
    if (event.kind === 'spread') this.#spread.tell(event.within)
    if (event.kind !== 'check') return event
    this.#spread.tell(event.within ?? 0)
    return event.within === undefined ? event : { ...event, within: this.#spread.milliseconds }
  }

  #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const end = (): void => {
        cancel()
        signal.removeEventListener('abort', end)
        this.#cutWait = () => {}
        resolve()
      }
      const cancel = this.#parts.timers.set(end, milliseconds)
      this.#cutWait = end
      signal.addEventListener('abort', end)
    })
  }
}

const retryAfterOf = (cause: unknown): number | undefined =>
  isSyncError(cause) && typeof cause.details['retryAfter'] === 'number' ? cause.details['retryAfter'] : undefined

/**
 * Over how many milliseconds the devices of a server spread when all lose their streams, as this one was told. Who connects first after a
 * restart is told of few: until the first heartbeat what was told before counts too.
 */
class ReconnectSpread {
  #before = 0
  #told = 0

  get milliseconds(): number {
    return Math.max(this.#before, this.#told)
  }

  /** A stream is opened. */
  begin(): void {
    this.#before = this.milliseconds
    this.#told = 0
  }

  tell(milliseconds: number): void {
    this.#told = milliseconds
  }

  /** A heartbeat came: had what was told changed, it would have come with it. */
  confirm(): void {
    this.#before = this.#told
  }
}
