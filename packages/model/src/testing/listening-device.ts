import { quietFetch, wholeFetch } from '../drivers/node-fetch.js'
import { EventStream } from '../events/event-stream.js'
import { Events } from '../events/sdk-events.js'
import { Transport } from '../http/transport.js'
import { platformTimers } from '../platform/timers.js'
import { Automatic } from '../schedule/automatic.js'
import { eventHandler } from '../schedule/event-handler.js'
import { Positions } from './positions.js'
import { PullingRunner } from './pulling-runner.js'

/** Counters of requests and events of devices. */
export interface DeviceCounts {
  /** Number of event streams requested, and of those that opened. */
  streams: number
  opened: number
  checks: number
  changes: number
  /** Number of pulls started by a hint, and of all others. */
  hinted: number
  pulls: number
  /** Number of failed requests by error code. */
  readonly failures: Record<string, number>
}

/** Options of a `ListeningDevice`. */
export interface ListeningDeviceOptions {
  readonly server: string
  /** The sources to sync. */
  readonly sources: readonly string[]
  /** Seconds between syncs of all sources. */
  readonly pollInterval: number
  /** Counters to increment, which many devices can share. */
  readonly counts: DeviceCounts
}

const TIMEOUT_MILLISECONDS = 120_000

/**
 * A device that stores pull positions but no rows, so that thousands fit into a process. It schedules requests, waits and retries with the SDK's
 * code.
 */
export class ListeningDevice {
  readonly #transport: Transport
  readonly #positions = new Positions()
  readonly #session = {
    token: null as string | null,
    clientId: null as string | null,
    required: () => this.#session.token ?? '',
  }
  readonly #automatic: Automatic
  readonly #counts: DeviceCounts

  constructor({ server, sources, pollInterval, counts }: ListeningDeviceOptions) {
    this.#counts = counts
    this.#transport = new Transport({
      server,
      fetch,
      whole: wholeFetch,
      stream: quietFetch,
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    })
    const models = sources.map(source => this.#positions.modelOf(source))
    this.#automatic = new Automatic({
      timers: platformTimers,
      random: Math.random,
      session: this.#session,
      runner: new PullingRunner({
        transport: this.#transport,
        session: this.#session,
        positions: this.#positions,
        requested: isHinted => void counts[isHinted ? 'hinted' : 'pulls']++,
        failed: code => this.#countFailure(code),
      }),
      synced: () => models,
      canSend: () => false,
      listen: automatic => this.#stream(automatic),
      sendsWrites: true,
      network: () => () => {},
      hasServer: true,
      isReachable: () => this.#transport.isReachable,
      busy: () => {},
    })
    this.#automatic.seconds = pollInterval
  }

  /** Resolves when the first sync is complete. The device then syncs automatically until it is closed. */
  async login(login: string, password: string): Promise<void> {
    const { session } = await this.#transport.login({ login, password })
    this.#session.token = session
    this.#automatic.begin()
    await this.#automatic.all()
  }

  get isLoggedIn(): boolean {
    return this.#session.token !== null
  }

  /** Returns the version up to which a source is complete. */
  headOf(source: string): number {
    return this.#positions.get(source).base
  }

  close(): void {
    this.#automatic.end()
  }

  #stream(automatic: Automatic): EventStream {
    const hear = eventHandler(automatic, new Events())
    return new EventStream({
      open: signal => this.#open(signal),
      hear: event => {
        if (event.kind === 'open') this.#counts.opened++
        if (event.kind === 'check') this.#counts.checks++
        if (event.kind === 'change') this.#counts.changes++
        hear(event)
      },
      timers: platformTimers,
      random: Math.random,
    })
  }

  async #open(signal: AbortSignal): Promise<Response> {
    this.#counts.streams++
    const { token: session, clientId: client } = this.#session
    try {
      return await this.#transport.events({ session, client, signal })
    } catch (cause) {
      this.#countFailure((cause as { readonly code?: string }).code ?? String(cause))
      throw cause
    }
  }

  #countFailure(code: string): void {
    this.#counts.failures[code] = (this.#counts.failures[code] ?? 0) + 1
  }
}
