import { nullable, object, type Schema, string } from '../schema.js'

/** What a page needs to subscribe to push messages. */
export interface PushKey {
  /** The public VAPID key, in base64url; null if the server sends no messages to browsers. */
  readonly public_key: string | null
}

export const pushKeySchema: Schema<PushKey> = object<PushKey>({ public_key: nullable(string()) })
