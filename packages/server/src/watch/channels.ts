import type { ServerEvent } from '@godwit/protocol'

/** Processes hear here what happens in all of them: `EventBatch`es. */
export const EVENT_CHANNEL = 'server_events'

/** Processes hear here that somebody watches one of them. What is published says nothing more. */
export const WATCH_CHANNEL = 'server_watched'

/** Processes go on to tell what happens for so many milliseconds after they heard of somebody who watches. */
export const WATCHED_FOR = 30_000

/** Whoever is watched says so again after so many milliseconds. */
export const SAY_AGAIN = 10_000

/** What happened in one process within a short time. */
export interface EventBatch {
  readonly events: readonly ServerEvent[]
  /** There was more, which is lost. */
  readonly missed: boolean
}
