import { quietFetch, wholeFetch } from '../drivers/node-fetch.js'
import { Automatic } from '../sync/automatic.js'
import { eventHandler } from '../sync/event-handler.js'
import { EventStream } from '../sync/event-stream.js'
import { Events } from '../sync/events.js'
import { platformTimers } from '../sync/timers.js'
import { Transport } from '../sync/transport.js'
import { Positions } from './positions.js'
import { PullingRunner } from './pulling-runner.js'

/** What devices asked for, and what they were told. */
export interface DeviceCounts {
  /** Event streams that were asked for, and those of them that opened. */
  streams: number
  opened: number
  checks: number
  changes: number
  /** Pulls that a hint began, and all others. */
  hinted: number
  pulls: number
  /** Code → how many requests failed with it. */
  readonly failures: Record<string, number>
}

/** Which server and sources a `ListeningDevice` follows. */
export interface ListeningDeviceOptions {
  readonly server: string
  /** Sources that it syncs. */
  readonly sources: readonly string[]
  /** Seconds between syncs of all. */
  readonly pollInterval: number
  /** Counted into: those of many devices share it. */
  readonly counts: DeviceCounts
}

const TIMEOUT_MILLISECONDS = 120_000

/**
 * A device that keeps its positions and no rows. When it asks, waits, and comes back is what the SDK decides with the same code; thousands of
 * it fit into a process.
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
        asked: isHinted => void counts[isHinted ? 'hinted' : 'pulls']++,
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

  /** Resolves when it is up to date for the first time; it goes on by itself until it is closed. */
  async login(login: string, password: string): Promise<void> {
    const { session } = await this.#transport.login(login, password)
    this.#session.token = session
    this.#automatic.begin()
    await this.#automatic.all()
  }

  get isLoggedIn(): boolean {
    return this.#session.token !== null
  }

  /** How far a source is up to date. */
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
