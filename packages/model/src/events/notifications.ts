import { callSafely, throwUncaught } from '../live/call-safely.js'
import type { SdkEvent } from './sdk-events.js'
import { type RefusalEvent, type ServerErrors, serverErrors } from './server-errors.js'

/** A notification about a sync, as in `NewORMModel`'s API. */
export interface SyncNotification {
  readonly source_name: string
  readonly status: 'in_progress' | 'ok' | 'complete' | 'error' | 'schema_changed'
  /** Objects in this page. */
  readonly processed_count: number
  /** Objects in this run so far. */
  readonly cumulative_count: number
  /** Objects in the source. */
  readonly total_count: number
  readonly error_code: string
  readonly error_message: string
  /** With the status `error`: the refused changes by object. Otherwise empty. */
  readonly server_errors: ServerErrors
}

/** Called with each notification of a sync. */
export type NotificationHandler = (notification: SyncNotification) => void

const BACKEND: ReadonlySet<string> = new Set(['backend_failed', 'backend_timeout'])

const QUIET = {
  processed_count: 0,
  cumulative_count: 0,
  total_count: 0,
  error_code: '',
  error_message: '',
  server_errors: {},
}

/** Converts an event to a notification; undefined if there is none for it. */
function notificationOf(event: SdkEvent): SyncNotification | undefined {
  switch (event.kind) {
    case 'progress': {
      const counts = { processed_count: event.page, cumulative_count: event.cumulative, total_count: event.total }
      return { ...QUIET, ...counts, source_name: event.source, status: 'in_progress' }
    }
    case 'source':
      return {
        ...QUIET,
        source_name: event.source,
        status: 'ok',
        cumulative_count: event.received,
        total_count: event.total,
      }
    case 'complete':
      return { ...QUIET, source_name: '*', status: 'complete', cumulative_count: event.received }
    case 'schema':
      return { ...QUIET, source_name: event.source, status: 'schema_changed' }
    case 'error':
      return {
        ...QUIET,
        source_name: event.source ?? '*',
        status: 'error',
        error_code: event.error.code,
        error_message: event.error.message,
        server_errors: BACKEND.has(event.error.code) ? { 'query-error': { message: event.error.message } } : {},
      }
    default:
      return undefined
  }
}

/** One handler for each source, and one for all (`*`). */
export class Notifications {
  readonly #handlers = new Map<string, NotificationHandler>()
  readonly #refused: RefusalEvent[] = []
  readonly #threw: (error: unknown) => void

  /** `threw` receives errors of handlers. */
  constructor(threw?: (error: unknown) => void) {
    this.#threw = threw ?? throwUncaught
  }

  set(source: string, handler: NotificationHandler): void {
    this.#handlers.set(source, handler)
  }

  clear(source: string): void {
    this.#handlers.delete(source)
  }

  /** Notifies the handlers of the source and of all; at the end of a run, every handler. Changes refused in one answer are reported together. */
  notify(event: SdkEvent): void {
    if (event.kind === 'refused' || event.kind === 'conflict') this.#gather(event)
    const notification = notificationOf(event)
    if (notification) this.#send(notification)
  }

  #gather(event: RefusalEvent): void {
    if (this.#handlers.size === 0) return
    if (this.#refused.push(event) === 1) queueMicrotask(() => this.#notifyRefused())
  }

  #notifyRefused(): void {
    const bySource = Map.groupBy(this.#refused.splice(0), ({ model }) => model)
    for (const [source_name, refused] of bySource) {
      const { code, message } = (refused[0] as RefusalEvent).error
      const error = { error_code: code, error_message: message, server_errors: serverErrors(refused) }
      this.#send({ ...QUIET, ...error, source_name, status: 'error' })
    }
  }

  #send(notification: SyncNotification): void {
    for (const [source, handler] of [...this.#handlers]) {
      if (source === '*' || source === notification.source_name || notification.source_name === '*')
        callSafely(() => handler(notification), this.#threw)
    }
  }
}
