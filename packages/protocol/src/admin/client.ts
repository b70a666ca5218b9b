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

/** A client (device) as lists show it; null: the device did not say. */
export interface ClientLine {
  /** As the device names itself in its pulls and pushes. */
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
  /** Devices of the same one are one device to a ping. */
  readonly phone_id: string | null
  /** The app on the device. */
  readonly device_app_id: string | null
  /** Its version. */
  readonly device_app_version: string | null
  /** ISO 8601 UTC. */
  readonly created_at: string
  /** When it last pulled or pushed, to the minute, ISO 8601 UTC; null: never. */
  readonly last_sync: string | null
}

/** A client (device) as operators see it. */
export interface ClientInfo extends ClientLine {
  /** The device holds an event stream open to the process that answers. */
  readonly listening: boolean
  /** Source → the version up to which the client is known to have everything. Noted from time to time, so it may lag. */
  readonly positions: { readonly [source: string]: number }
}

/** What a client has of a source, and what waits for it there. */
export interface ClientSource {
  /** The name of the source. */
  readonly source: string
  /** Whose copy of it the client syncs, as the server spells it. */
  readonly partition: string
  /** The version up to which the client is known to have everything; 0 during its first pass. Null: it never pulled the source. */
  readonly version: number | null
  /** When that was noted, ISO 8601 UTC; null: never. */
  readonly noted_at: string | null
  /** The present version of the copy. */
  readonly head: number
  /** How many changes of the client wait for a worker; 1,000 are counted at most. */
  readonly queued: number
  /** Outcomes of its changes that it has not acknowledged: the first 100. */
  readonly outcomes: readonly UnheardOutcome[]
}

/** What became of a change, of which its client has not confirmed that it heard. */
export interface UnheardOutcome {
  /** The number of the change, as its client counts. */
  readonly number: number
  readonly status: OutcomeStatus
  /** Why it was not applied; null: it was. */
  readonly error: SourceError | null
}

/** Which clients. */
export interface ClientList {
  /** Those of this login. Absent: all. */
  readonly user?: string
  /** Ids behind this one. */
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
})

export const clientSourcesSchema: Schema<readonly ClientSource[]> = list(
  object<ClientSource>({
    source: string(),
    partition: string(),
    version: nullable(integer({ minimum: 0 })),
    noted_at: text,
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
