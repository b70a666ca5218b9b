import { isSyncError } from '@godwit/protocol'
import {
  type PushAddress,
  registrationOf,
  StoredPushAddress,
  type WebPushSubscription,
} from '../run/push-registration.js'
import { registerPush } from '../run/register-push.js'
import type { SdkLifetime } from './sdk-lifetime.js'

/** The push address of the device. */
export class PushControls {
  readonly #lifetime: SdkLifetime<unknown>

  constructor(lifetime: SdkLifetime<unknown>) {
    this.#lifetime = lifetime
  }

  async register(given: PushAddress | WebPushSubscription): Promise<void> {
    const registration = registrationOf(given)
    await this.#lifetime.runAlive(async parts => {
      new StoredPushAddress(parts.database).set(registration)
      await registerNowOrLater(parts)
    })
  }

  async unregister(): Promise<void> {
    await this.#lifetime.runAlive(async parts => {
      new StoredPushAddress(parts.database).set(null)
      await registerNowOrLater(parts)
    })
  }

  key(): Promise<string | null> {
    return this.#lifetime.runAlive(async ({ transport, session }) => {
      const { public_key } = await transport.pushKey({ session: session.required() })
      return public_key
    })
  }
}

/** A device that is offline, or has no session now, tells the server with its next sync. */
async function registerNowOrLater(parts: Parameters<typeof registerPush>[0]): Promise<void> {
  try {
    await registerPush(parts)
  } catch (error) {
    if (!isSyncError(error) || !LATER.has(error.code)) throw error
  }
}

const LATER: ReadonlySet<string> = new Set([
  'offline',
  'logged_out',
  'session_missing',
  'session_expired',
  'client_not_found',
])
