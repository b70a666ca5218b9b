import { type SourceError, sourceErrorSchema } from '../device/outcome.js'
import { OUTCOME_STATUSES, type OutcomeStatus } from '../device/vocabulary.js'
import {
  boolean,
  either,
  integer,
  list,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  type Schema,
  string,
} from '../schema.js'

/** A client (device), as in lists. Null members were not reported by the device. */
export interface ClientLine {
  /** The id that the device sends with its pulls and pushes. */
  readonly client_id: string
  /** The login of its user. */
  readonly user: string
  /** `apple`, `android`, …: selects the push provider unless `device_push_type` does. */
  readonly device_type: string | null
  /** Selects the push provider. */
  readonly device_push_type: string | null
  /** The address at the push provider. */
  readonly device_pin: string | null
  /** A port at that address, for providers that take one. */
  readonly device_port: string | number | null
  /** Identifies the physical device: a ping sends one message to clients that share it. */
  readonly phone_id: string | null
  /** The app on the device. */
  readonly device_app_id: string | null
  /** The version of that app. */
  readonly device_app_version: string | null
  /** ISO 8601 UTC. */
  readonly created_at: string
  /** Time of the last pull or push, to the minute, ISO 8601 UTC; null if there was none. */
  readonly last_sync: string | null
}

/** A client (device), with its connection state and sync positions. */
export interface ClientInfo extends ClientLine {
  /** True if the device holds an event stream open to the responding process. */
  readonly listening: boolean
  /** Per source, the version up to which the client has all changes. Updated periodically, so it may lag. */
  readonly positions: { readonly [source: string]: number }
  /** What became of push messages to this device. Absent: the server is of an older version. */
  readonly push?: PushCounts
}

/** Counts of push messages to a device, by a provider. */
export interface PushCounts {
  /** Passed to the provider. */
  readonly sent: number
  /** Refused by the provider, or not answered in time. */
  readonly refused: number
  /** How often the provider reported that the address no longer exists; it was cleared. */
  readonly gone: number
  /** How often the device synced after messages were sent. */
  readonly opened: number
}

/** The sync state of one source on a client. */
export interface ClientSource {
  /** The name of the source. */
  readonly source: string
  /** The partition that the client syncs, such as `user:ada`, or `*` for an app source. */
  readonly partition: string
  /** The version up to which the client has all changes; 0 during its first pass. Null if it never pulled the source. */
  readonly version: number | null
  /** When `version` was recorded, ISO 8601 UTC; null if never. */
  readonly recorded_at: string | null
  /** The current version of the partition. */
  readonly head: number
  /** The number of the client's mutations that wait for a worker, counted up to 1,000. */
  readonly queued: number
  /** The first 100 outcomes that the client has not acknowledged. */
  readonly outcomes: readonly UnheardOutcome[]
}

/** An outcome that the client has not acknowledged. */
export interface UnheardOutcome {
  /** The client's number for the mutation. */
  readonly number: number
  readonly status: OutcomeStatus
  /** Why the mutation was not applied; null if it was. */
  readonly error: SourceError | null
}

/** Selects clients. */
export interface ClientList {
  /** Only clients of this login. Default: all. */
  readonly user?: string
  /** Returns ids after this one. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

const text = nullable(string())

const line = {
  client_id: string(),
  user: string(),
  device_type: text,
  device_push_type: text,
  device_pin: text,
  device_port: nullable(either(string(), integer())),
  phone_id: text,
  device_app_id: text,
  device_app_version: text,
  created_at: string(),
  last_sync: text,
} as const

export const clientLinesSchema: Schema<readonly ClientLine[]> = list(object<ClientLine>(line))

export const clientInfoSchema: Schema<ClientInfo> = object<ClientInfo>({
  ...line,
  listening: boolean,
  positions: mapOf(integer({ minimum: 0 })),
  push: optional(
    object<PushCounts>({
      sent: integer({ minimum: 0 }),
      refused: integer({ minimum: 0 }),
      gone: integer({ minimum: 0 }),
      opened: integer({ minimum: 0 }),
    }),
  ),
})

export const clientSourcesSchema: Schema<readonly ClientSource[]> = list(
  object<ClientSource>({
    source: string(),
    partition: string(),
    version: nullable(integer({ minimum: 0 })),
    recorded_at: text,
    head: integer({ minimum: 0 }),
    queued: integer({ minimum: 0 }),
    outcomes: list(
      object<UnheardOutcome>({
        number: integer({ minimum: 1 }),
        status: oneOf(...OUTCOME_STATUSES),
        error: nullable(sourceErrorSchema),
      }),
    ),
  }),
)

export const clientListSchema: Schema<ClientList> = object<ClientList>({
  user: optional(string()),
  after: optional(string()),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})
