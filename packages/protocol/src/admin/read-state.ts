import { integer, object, optional, type Schema } from '../schema.js'

/** Says when the source is queried next for a user. */
export interface ReadState {
  /** Seconds from now. Absent: at the next pull. */
  readonly refresh_time?: number
}

export const readStateSchema: Schema<ReadState> = object<ReadState>({
  refresh_time: optional(integer({ minimum: 0, maximum: 1_000_000_000 })),
})
