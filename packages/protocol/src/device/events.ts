import { object, optional, type Schema, string } from '../schema.js'

/** Identifies the client if the header X-Sync-CLIENT-ID is absent: a browser's `EventSource` cannot set it. The header takes precedence. */
export interface EventsQuery {
  /** A client of the session's user. */
  readonly client_id?: string
}

export const eventsQuerySchema: Schema<EventsQuery> = object<EventsQuery>({ client_id: optional(string()) })
