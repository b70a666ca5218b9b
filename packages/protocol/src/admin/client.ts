import { either, integer, mapOf, nullable, object, optional, type Schema, string } from '../schema.js'

/** A client (device) as operators see it; null: the device did not say. */
export interface ClientInfo {
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
  /** Source → the version up to which the client is known to have everything. Noted from time to time, so it may lag. */
  readonly positions: { readonly [source: string]: number }
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

export const clientInfoSchema: Schema<ClientInfo> = object<ClientInfo>({
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
  positions: mapOf(integer({ minimum: 0 })),
})

export const clientListSchema: Schema<ClientList> = object<ClientList>({
  user: optional(string()),
  after: optional(string()),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})
