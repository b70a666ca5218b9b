import { integer, object, optional, type Schema } from '../schema.js'

/** Schedules the next query of a source for a user. */
export interface ReadState {
  /** Seconds until the query. Default: at the next pull. */
  readonly refresh_time?: number
}

export const readStateSchema: Schema<ReadState> = object<ReadState>({
  refresh_time: optional(integer({ minimum: 0, maximum: 1_000_000_000 })),
})
