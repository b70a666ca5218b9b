import type { ServerEvent } from '@godwit/protocol'

type StreamEventKind = 'stream_started' | 'events_missed' | 'stream_ended'
/** An event of the server, as opposed to those of the stream itself. */
export type ReportedEvent = Exclude<ServerEvent, { readonly kind: StreamEventKind }>
/** An event before it has an id and a time. */
export type WithoutId<Event> = Event extends unknown ? Omit<Event, 'id' | 'time'> : never

/** Publishes the events of this process to watchers of the server. */
export interface Reporter {
  /** True while any process has a watcher: only then is it worth looking anything up for an event. */
  readonly isWatched: boolean
  /** Reports an event in the background. It costs almost nothing while there is no watcher. */
  report(event: WithoutId<ReportedEvent>): void
  /** Subscribes to announcements of watchers. */
  start(): void
  /** Publishes the collected events and unsubscribes. */
  stop(): Promise<void>
}

/** A reporter that discards all events. */
export const silentReporter: Reporter = { isWatched: false, report: () => {}, start: () => {}, stop: async () => {} }
