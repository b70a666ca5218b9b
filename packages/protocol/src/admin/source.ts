import { boolean, integer, list, mapOf, nullable, object, oneOf, optional, type Schema, string } from '../schema.js'

/** The settings of a source that an operator may change while the server runs. */
export interface SourceChange {
  /** Seconds between queries: 0 = at every pull, -1 = only on request. */
  readonly poll_interval?: number
  /** `bulk_only`: the source serves bulk data and refuses pulls. */
  readonly sync_type?: 'incremental' | 'bulk_only'
  /** The queue whose workers run all methods without a queue of their type; null: methods run within the request. */
  readonly queue?: string | null
  /** The queue of queries; null: uses `queue`. */
  readonly query_queue?: string | null
  /** The queue of creates, updates and deletes; null: uses `queue`. */
  readonly cud_queue?: string | null
  /** Sources with lower values come first. */
  readonly sync_priority?: number
  /** The number of retries of a failed query. The pauses between them add up to at most the timeout of one query. */
  readonly retry_limit?: number
  /** If true, a push of the backend also pings the affected users' devices. */
  readonly push_notify?: boolean
}

/** A source with its current settings; null if not set. */
export interface SourceInfo extends Required<SourceChange> {
  /** The name of the source in paths and on devices. */
  readonly name: string
  /** `app`: one partition shared by all users. `user`: one partition for each user. `by`: one for each set of values of the attributes in `by`. */
  readonly partition_type: 'app' | 'user' | 'by'
  /** The attributes that name the partitions. Absent for other partition types. */
  readonly by?: readonly string[]
  /** True if the journal never stores the content of mutations. */
  readonly pass_through: boolean
  /** Attributes with the source whose object ids they contain. */
  readonly belongs_to: { readonly [attribute: string]: string } | null
}

/** Changes the settings of a source, for all users. */
export interface SourceUpdate {
  /** The login of an existing user. The settings nevertheless apply to all users, and no partition becomes due for a query. */
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
  partition_type: oneOf('app', 'user', 'by'),
  by: optional(list(string())),
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
