import { object, optional, type Schema, string } from '../schema.js'

/** Which client listens, where the header X-Sync-CLIENT-ID cannot be set: `EventSource` of browsers sets none. The header goes first. */
export interface EventsQuery {
  /** A client of the session's user. */
  readonly client_id?: string
}

export const eventsQuerySchema: Schema<EventsQuery> = object<EventsQuery>({ client_id: optional(string()) })
