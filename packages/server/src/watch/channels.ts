import type { ServerEvent } from '@godwit/protocol'

/** Processes hear here what happens in all of them: `EventBatch`es. */
export const EVENT_CHANNEL = 'server_events'

/** Processes hear here that somebody watches one of them. What is published says nothing more. */
export const WATCH_CHANNEL = 'server_watched'

/** Milliseconds for which a process publishes its events after it heard of a watcher. */
export const WATCHED_FOR = 30_000

/** Milliseconds after which a process that has watchers says so again. */
export const SAY_AGAIN = 10_000

/** What happened in one process within a short time. */
export interface EventBatch {
  readonly events: readonly ServerEvent[]
  /** There was more, which is lost. */
  readonly missed: boolean
}
