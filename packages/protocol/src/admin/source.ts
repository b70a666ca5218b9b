import { boolean, integer, mapOf, nullable, object, oneOf, optional, type Schema, string } from '../schema.js'

/** The settings of a source that an operator may change while the server runs. */
export interface SourceChange {
  /** Seconds between queries: 0 = at every pull, -1 = only when asked. */
  readonly poll_interval?: number
  /** `bulk_only`: no pulls, bulk data only. */
  readonly sync_type?: 'incremental' | 'bulk_only'
  /** The queue whose workers run the methods, where no specific one is given; null: they run with the request. */
  readonly queue?: string | null
  /** The queue of queries; null: `queue`. */
  readonly query_queue?: string | null
  /** The queue of creates, updates and deletes; null: `queue`. */
  readonly cud_queue?: string | null
  /** Lower comes first. */
  readonly sync_priority?: number
  /** How often a failed query is tried again, after pauses that together are not longer than one query may take. */
  readonly retry_limit?: number
  /** What a backend pushes also pings the devices of those who see it. */
  readonly push_notify?: boolean
}

/** A source with its present settings; null: not set. */
export interface SourceInfo extends Required<SourceChange> {
  /** Names the source in paths, and on devices. */
  readonly name: string
  /** `app`: one copy for all users. `user`: one for each. */
  readonly partition_type: 'app' | 'user'
  /** The content of mutations stays out of the journal. */
  readonly pass_through: boolean
  /** Attribute → source whose object ids it holds. */
  readonly belongs_to: { readonly [attribute: string]: string } | null
}

/** Changes the settings of a source, for all users. */
export interface SourceUpdate {
  /** The login of a user; an unknown one is refused. The settings are those of the source for all, and no partition becomes due. */
  readonly user_name?: string
  readonly data: SourceChange
}

const queue = nullable(string({ minLength: 1 }))
const syncType = oneOf('incremental', 'bulk_only')

export const sourceUpdateSchema: Schema<SourceUpdate> = object<SourceUpdate>({
  user_name: optional(string()),
  data: object<SourceChange>(
    {
      poll_interval: optional(integer({ minimum: -1, maximum: 1_000_000_000 })),
      sync_type: optional(syncType),
      queue: optional(queue),
      query_queue: optional(queue),
      cud_queue: optional(queue),
      sync_priority: optional(integer({ minimum: 1, maximum: 1_000_000_000 })),
      retry_limit: optional(integer({ minimum: 0, maximum: 1000 })),
      push_notify: optional(boolean),
    },
    { closed: true },
  ),
})

export const sourceInfoSchema: Schema<SourceInfo> = object<SourceInfo>({
  name: string(),
  poll_interval: integer({ minimum: -1 }),
  partition_type: oneOf('app', 'user'),
  sync_type: syncType,
  queue: nullable(string()),
  query_queue: nullable(string()),
  cud_queue: nullable(string()),
  sync_priority: integer(),
  retry_limit: integer(),
  pass_through: boolean,
  push_notify: boolean,
  belongs_to: nullable(mapOf(string())),
})
