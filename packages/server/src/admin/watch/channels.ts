import type { ServerEvent } from '@godwit/protocol'

/** The channel on which processes publish their events, as `EventBatch`es. */
export const EVENT_CHANNEL = 'server_events'

/** The channel on which a process announces that it has a watcher; the message has no other meaning. */
export const WATCH_CHANNEL = 'server_watched'

/** Milliseconds for which a process publishes its events after an announcement of a watcher. */
export const WATCHED_FOR = 30_000

/** Milliseconds between announcements of a process that has watchers. */
export const SAY_AGAIN = 10_000

/** The events of one process within a short time. */
export interface EventBatch {
  readonly events: readonly ServerEvent[]
  /** True if further events were dropped. */
  readonly missed: boolean
}
