import { boolean, either, integer, list, number, object, optional, type Schema, string } from '../schema.js'

/** Sends a push message that makes devices of these users sync. */
export interface Ping {
  /** The login or logins of the users. */
  readonly user_id: string | readonly string[]
  /** The client or clients, of these users, that receive it. Default: all. */
  readonly clients?: string | readonly string[]
  /** The source or sources that the devices sync on arrival. Default: none is named. */
  readonly sources?: string | readonly string[]
  /** The text of the notification on the device. */
  readonly message?: string
  /** The number on the app's icon, or another value that the platform accepts. */
  readonly badge?: number | string
  /** The name of a sound file to play. */
  readonly sound?: string
  /** The duration of the vibration, in seconds. */
  readonly vibrate?: number
  /** If true, does all but the delivery: providers validate the message where they can, and nothing is counted. Default false. */
  readonly dry_run?: boolean
  /** If true, responds at once with the job that sends the message. Default false: responds after sending. */
  readonly async?: boolean
}

/** Why a user or client was not pinged. */
export type SkipReason =
  | 'user_not_found'
  | 'no_device'
  | 'no_push_type'
  | 'no_provider'
  | 'no_pin'
  | 'same_device'
  | 'client_not_found'
  | 'repeated'
  | 'throttled'

/** A user or client to which no message was sent. */
export interface PingSkipped {
  /** A user who does not exist or has no devices. */
  readonly user?: string
  /**
   * A client without a usable address, on a device that another client already represents, or not of these users. `repeated`: the same message went
   * to it within the last second; `throttled`: silent messages beyond what its platform delivers, after one that showed itself.
   */
  readonly client?: string
  readonly reason: SkipReason
}

/** A client that the push provider failed to reach. */
export interface PingFailed {
  /** The id of the client. */
  readonly client: string
  /** `gone`: the address is no longer valid and was cleared; `timeout`; or the provider's message. */
  readonly reason: string
}

/** The result of a ping. */
export interface PingResult {
  /** The number of devices for which the message was passed to an event stream or a provider. */
  readonly sent: number
  /** Users and clients that were not pinged, and why. */
  readonly skipped: readonly PingSkipped[]
  /** Clients for which the delivery failed. */
  readonly failed: readonly PingFailed[]
  /** The number of devices whose provider asked to wait: jobs send the message later. Absent: none. */
  readonly deferred?: number
}

/** The job of an asynchronous ping. */
export interface PingJob {
  /** The id of the job, as `GET /rc/v1/system/jobs` lists it. */
  readonly job: string
}

/** The result of a ping, or, if `async`, only the job that sends it. */
export interface PingAnswer extends Partial<PingResult>, Partial<PingJob> {}

/** The push message that a device receives. It carries no object data. */
export interface PushMessage extends Pick<Ping, 'message' | 'badge' | 'sound' | 'vibrate'> {
  /** The sources to sync. */
  readonly do_sync: readonly string[]
}

const text = string({ maxLength: 4096 })

export const pingSchema: Schema<Ping> = object<Ping>({
  user_id: either(string(), list(string(), { maxItems: 10_000 })),
  clients: optional(either(string(), list(string(), { maxItems: 10_000 }))),
  sources: optional(either(string(), list(string(), { maxItems: 1000 }))),
  message: optional(text),
  badge: optional(either(number(), text)),
  sound: optional(text),
  vibrate: optional(integer({ minimum: 0 })),
  dry_run: optional(boolean),
  async: optional(boolean),
})

export const pingAnswerSchema: Schema<PingAnswer> = object<PingAnswer>({
  sent: optional(integer({ minimum: 0 })),
  skipped: optional(
    list(
      object<PingSkipped>({
        user: optional(string()),
        client: optional(string()),
        reason: string() as Schema<SkipReason>,
      }),
    ),
  ),
  failed: optional(list(object<PingFailed>({ client: string(), reason: string() }))),
  deferred: optional(integer({ minimum: 1 })),
  job: optional(string()),
})
