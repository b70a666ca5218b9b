import type { PushProviders, TestablePushProvider } from '@godwit/server'
import type { PushSettings } from './push-settings.js'

/** The providers of the settings, by name. Each can be tested without a device. */
export interface ConfiguredProviders extends PushProviders {
  readonly [name: string]: TestablePushProvider
}

/** Loads the providers that are configured, and no others. Throws `value_not_allowed` for an unusable option. */
export async function openPushProviders({ fcm, apns, webpush }: PushSettings): Promise<ConfiguredProviders> {
  return {
    ...(fcm && { fcm: (await import('@godwit/push/fcm')).fcm(fcm) }),
    ...(apns && { apns: (await import('@godwit/push/apns')).apns(apns) }),
    ...(webpush && { webpush: (await import('@godwit/push/web-push')).webPush(webpush) }),
  }
}
