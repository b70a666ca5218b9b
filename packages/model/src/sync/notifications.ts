import { aside } from '../live/aside.js'
import type { SdkEvent } from './events.js'

/** What a notification of the document's face hears. */
export interface SyncNotification {
  readonly source_name: string
  readonly status: 'in_progress' | 'ok' | 'complete' | 'error' | 'schema_changed'
  /** Objects of this page. */
  readonly processed_count: number
  /** Objects of this run so far. */
  readonly cumulative_count: number
  /** Objects of the source. */
  readonly total_count: number
  readonly error_code: string
  readonly error_message: string
}

export type NotificationHandler = (notification: SyncNotification) => void

const QUIET = { processed_count: 0, cumulative_count: 0, total_count: 0, error_code: '', error_message: '' }

/** An event as a notification; undefined: notifications do not tell of it. */
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
      }
    default:
      return undefined
  }
}

/** One handler per source, and one for all: `*`. */
export class Notifications {
  readonly #handlers = new Map<string, NotificationHandler>()

  set(source: string, handler: NotificationHandler): void {
    this.#handlers.set(source, handler)
  }

  clear(source: string): void {
    this.#handlers.delete(source)
  }

  /** To the source's own handler and to that of all; the end of a run to everybody. */
  tell(event: SdkEvent): void {
    const notification = notificationOf(event)
    if (!notification) return
    for (const [source, handler] of [...this.#handlers]) {
      if (source === '*' || source === notification.source_name || notification.source_name === '*')
        aside(() => handler(notification))
    }
  }
}
