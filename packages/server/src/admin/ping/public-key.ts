import type { KeyedPushProvider, PushProviders } from '@godwit/source'

/** Returns the public VAPID key of the provider for browsers; null if there is none. */
export function publicKeyOf(providers: PushProviders): string | null {
  const provider: Partial<KeyedPushProvider> | undefined = Object.hasOwn(providers, 'webpush')
    ? providers['webpush']
    : undefined
  return typeof provider?.publicKey === 'string' ? provider.publicKey : null
}
