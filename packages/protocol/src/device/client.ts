import { either, integer, list, nullable, object, optional, type Schema, string } from '../schema.js'

/** A new client (device) of the session's user. */
export interface ClientCreated {
  /** Send `client_id` in the header X-Sync-CLIENT-ID of every pull and push. */
  readonly client: { readonly client_id: string }
}

/** The addresses at which push messages reach the device. Absent members stay unchanged. */
export interface ClientRegistration {
  /** `apple`, `android`, … : selects the push provider unless `device_push_type` does. */
  readonly device_type?: string
  /** Selects the push provider. */
  readonly device_push_type?: string
  /** The address at the push provider: a token, or for `webpush` the JSON text of a subscription. An empty text clears it. */
  readonly device_pin?: string
  /** A port at that address, for providers that take one; null for none. */
  readonly device_port?: string | number | null
  /** Identifies the physical device: a ping sends one message to clients that share it. */
  readonly phone_id?: string
  /** The app on the device. */
  readonly device_app_id?: string
  /** The version of that app. */
  readonly device_app_version?: string
}

/** Makes the next pull of these sources start from zero (a resync). */
export interface ClientReset {
  /** Names of sources. Default: all. */
  readonly sources?: readonly string[]
}

export const clientCreatedSchema: Schema<ClientCreated> = object<ClientCreated>({
  client: object<ClientCreated['client']>({ client_id: string() }),
})

const text = string({ maxLength: 4096 })

export const clientRegistrationSchema: Schema<ClientRegistration> = object<ClientRegistration>({
  device_type: optional(text),
  device_push_type: optional(text),
  device_pin: optional(text),
  device_port: optional(nullable(either(text, integer()))),
  phone_id: optional(text),
  device_app_id: optional(text),
  device_app_version: optional(text),
})

export const clientResetSchema: Schema<ClientReset> = object<ClientReset>({
  sources: optional(list(string(), { maxItems: 1000 })),
})
