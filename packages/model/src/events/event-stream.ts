import { isSyncError } from '@godwit/protocol'
import { BackOff } from '../http/back-off.js'
import type { Timers } from '../platform/timers.js'
import { readEvents, type StreamEvent } from './server-events.js'

export interface EventStreamParts {
  /** Opens the server's event stream; throws if that fails. */
  readonly open: (signal: AbortSignal) => Promise<Response>
  readonly hear: (event: StreamEvent) => void
  /** Called when the stream broke off or could not be opened, unless it was stopped. */
  readonly broke?: () => void
  readonly timers: Timers
  /** A random number from 0 to 1. */
  readonly random: () => number
}

/** Milliseconds without data after which a stream counts as broken. The server sends a heartbeat every 25 s. */
export const SILENCE_MS = 60_000

/** Errors of a lost session or client. The stream is opened again only after a sync has resolved them. */
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

  /** Starts listening for a client; does nothing if it already does. */
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

  /** Opens a waiting stream now. */
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
      if (!signal.aborted) this.#parts.broke?.()
      if (signal.aborted || (isSyncError(broke) && ENDS.has(broke.code))) return
      // Also after a failed attempt: otherwise devices that connect after a restart would all come at once.
      const spread = this.#parts.random() * this.#spread.milliseconds
      await this.#wait(Math.max(spread, backOff.failed(retryAfterOf(broke))), signal)
    }
  }

  /** Reads until the stream ends. One that lived long enough for a heartbeat resets the back-off. */
  async #listenOnce(signal: AbortSignal, backOff: BackOff): Promise<void> {
    const { open, hear, timers } = this.#parts
    const ended = new AbortController()
    const end = (): void => ended.abort()
    // Not `AbortSignal.any`, which would retain a signal for each time the stream is opened.
    signal.addEventListener('abort', end)
    let cancel = timers.set(end, SILENCE_MS)
    const restartSilence = (): void => {
      cancel()
      cancel = timers.set(end, SILENCE_MS)
    }
    try {
      const { body } = await open(ended.signal)
      restartSilence()
      this.#spread.begin()
      hear({ kind: 'open' })
      if (!body) return
      for await (const event of readEvents(body, restartSilence)) {
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

  /** Devices that reconnect spread their pulls over the same time. */
  #spreading(event: StreamEvent): StreamEvent {
    if (event.kind === 'spread') this.#spread.announce(event.within)
    if (event.kind !== 'check') return event
    this.#spread.announce(event.within ?? 0)
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
 * The time over which devices of a server spread when all lose their streams. A server that has just restarted knows few streams, so the former value
 * counts until the first heartbeat.
 */
class ReconnectSpread {
  #before = 0
  #announced = 0

  get milliseconds(): number {
    return Math.max(this.#before, this.#announced)
  }

  /** A stream was opened. */
  begin(): void {
    this.#before = this.milliseconds
    this.#announced = 0
  }

  announce(milliseconds: number): void {
    this.#announced = milliseconds
  }

  /** A heartbeat arrived: a changed value would have been sent before it. */
  confirm(): void {
    this.#before = this.#announced
  }
}
