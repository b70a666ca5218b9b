import { boolean, either, integer, list, number, object, optional, type Schema, string } from '../schema.js'

/** Makes devices sync: a push message to every device of these users. */
export interface Ping {
  /** Whose devices: one login or many. */
  readonly user_id: string | readonly string[]
  /** What the devices sync when the message arrives: one source or many. Left out: none is named. */
  readonly sources?: string | readonly string[]
  /** The text of the notification on the device. */
  readonly message?: string
  /** The number on the icon of the app, or what the platform takes for it. */
  readonly badge?: number | string
  /** The name of the sound file to play. */
  readonly sound?: string
  /** How long to vibrate, in seconds. */
  readonly vibrate?: number
  /** True: answers at once with the job that sends it. Default false: answers when it was sent. */
  readonly async?: boolean
}

/** The code for why a user was not pinged. */
export type SkipReason = 'user_not_found' | 'no_device' | 'no_push_type' | 'no_provider' | 'no_pin' | 'same_device'

/** Somebody whom a ping could not be sent to. */
export interface PingSkipped {
  /** A user without devices, or who does not exist. */
  readonly user?: string
  /** A client that cannot be reached, or is another's device. */
  readonly client?: string
  readonly reason: SkipReason
}

/** A device that a provider failed to reach. */
export interface PingFailed {
  /** The client that a provider could not reach. */
  readonly client: string
  /** `gone`: its address was cleared; `timeout`; else the provider's words. */
  readonly reason: string
}

/** What became of a ping. */
export interface PingResult {
  /** How many devices it was handed to a stream or provider for. */
  readonly sent: number
  /** Users that were not pinged, and why. */
  readonly skipped: readonly PingSkipped[]
  /** Those that somebody tried to reach in vain. */
  readonly failed: readonly PingFailed[]
}

/** A ping that workers send. */
export interface PingJob {
  /** The id of the job, as `GET /rc/v1/system/jobs` lists it. */
  readonly job: string
}

/** What became of a ping; of an `async` one, the job that sends it and nothing else. */
export interface PingAnswer extends Partial<PingResult>, Partial<PingJob> {}

/** What arrives on a device: the fields of the ping, and no object data. */
export interface PushMessage extends Pick<Ping, 'message' | 'badge' | 'sound' | 'vibrate'> {
  /** The sources to sync. */
  readonly do_sync: readonly string[]
}

const text = string({ maxLength: 4096 })

export const pingSchema: Schema<Ping> = object<Ping>({
  user_id: either(string(), list(string(), { maxItems: 10_000 })),
  sources: optional(either(string(), list(string(), { maxItems: 1000 }))),
  message: optional(text),
  badge: optional(either(number(), text)),
  sound: optional(text),
  vibrate: optional(integer({ minimum: 0 })),
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
  job: optional(string()),
})
