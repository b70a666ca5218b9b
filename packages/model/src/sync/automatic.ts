import { isSyncError, RETRYABLE_CODES } from '@godwit/protocol'
import type { EventStream } from './event-stream.js'
import type { Events } from './events.js'
import type { RunEnd, Schedule } from './schedule.js'
import type { ServerEvent } from './server-events.js'
import type { Session } from './session.js'
import type { SyncSummary } from './sync.js'

/** One change is told to many devices at once, and so is a server that was away: they spread over so many milliseconds. */
const CHANGE_WITHIN = 500
const CHECK_WITHIN = 5000

export interface AutomaticParts {
  readonly schedule: Schedule
  /** Undefined: the device does not listen. */
  readonly stream: EventStream | undefined
  readonly session: Pick<Session, 'token' | 'clientId'>
}

/** What a device does by itself while somebody is logged in: it syncs from time to time, and listens for what changed. */
export class Automatic {
  readonly #parts: AutomaticParts

  constructor(parts: AutomaticParts) {
    this.#parts = parts
  }

  /** Seconds between syncs; 0: nothing happens by itself. */
  get seconds(): number {
    return this.#parts.schedule.seconds
  }

  set seconds(seconds: number) {
    this.#parts.schedule.every(seconds)
    this.#listen()
  }

  begin(): void {
    this.#parts.schedule.start()
    this.#listen()
  }

  end(): void {
    this.#parts.schedule.stop()
    this.#parts.stream?.stop()
  }

  /** Learns from a run how the server is, whoever asked for it. */
  async watch(run: Promise<SyncSummary>, isAll: boolean): Promise<SyncSummary> {
    try {
      const summary = await run
      this.#parts.schedule.ended(endOf(summary), isAll)
      this.#listen()
      return summary
    } catch (error) {
      if (this.#parts.session.token === null) this.end()
      this.#parts.schedule.ended(failureOf([isSyncError(error) ? { ...error.details, code: error.code } : {}]), isAll)
      throw error
    }
  }

  /** A client id is what a device listens under: before the first sync there is none. */
  #listen(): void {
    const { schedule, stream, session } = this.#parts
    if (schedule.isOn && session.token !== null && session.clientId !== null) stream?.start(session.clientId)
    else stream?.stop()
  }
}

/** What a device does about what it hears. */
export const hearing =
  (schedule: Schedule, events: Events) =>
  (event: ServerEvent): void => {
    if (event.kind === 'change') schedule.soon([event.source], CHANGE_WITHIN)
    if (event.kind === 'check') schedule.soon(undefined, CHECK_WITHIN)
    if (event.kind !== 'ping') return
    const { do_sync = [], ...ping } = event.ping
    events.emit({ kind: 'ping', ...ping, sources: do_sync })
    schedule.soon(do_sync, CHANGE_WITHIN)
  }

const endOf = ({ sources, stopped }: SyncSummary): RunEnd =>
  stopped ? { kind: 'stopped' } : failureOf(sources.flatMap(({ error }) => (error ? [error] : [])))

/** What may pass when it is tried again later counts as a failure; what would fail again does not. */
function failureOf(errors: readonly { readonly code?: string; readonly retryAfter?: unknown }[]): RunEnd {
  const passing = errors.filter(({ code }) => code === undefined || (RETRYABLE_CODES as ReadonlySet<string>).has(code))
  if (passing.length === 0) return { kind: 'ok' }
  const asked = passing.flatMap(({ retryAfter }) => (typeof retryAfter === 'number' ? [retryAfter] : []))
  return { kind: 'failed', ...(asked.length > 0 && { retryAfter: Math.max(...asked) }) }
}
