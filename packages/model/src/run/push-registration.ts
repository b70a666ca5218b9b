import { type ClientRegistration, SyncError } from '@godwit/protocol'
import type { DeviceDatabase } from '../database/database.js'
import { SettingsTable } from '../database/settings-table.js'

/** The address of an app at a push service of phones. */
export interface PushAddress {
  /** The provider of the server: `fcm`, `apns`, or the name that the server gives another provider. */
  readonly type: 'fcm' | 'apns' | (string & Record<never, never>)
  /** The token that the platform gave to the app. */
  readonly token: string
  /** The app, for a server that serves several: the bundle id of an iOS app. Default: the server's. */
  readonly appId?: string
}

/** The subscription of a browser: a `PushSubscription`, or what its `toJSON` gives. */
export interface WebPushSubscription {
  readonly endpoint?: string
  readonly keys?: { readonly [name: string]: string }
  toJSON?(): { readonly endpoint?: string; readonly keys?: { readonly [name: string]: string } }
}

/** What a device sends to a server so that push messages reach it. */
export type PushRegistration = Pick<ClientRegistration, 'device_push_type' | 'device_pin' | 'device_app_id'>

/** Returns the registration of an address or subscription. Throws `value_not_allowed` for an unusable one. */
export function registrationOf(given: PushAddress | WebPushSubscription): PushRegistration {
  if ('type' in given) {
    const { type, token, appId } = given
    if (!isText(type) || !isText(token)) throw invalid('a type and a token', 'others')
    return { device_push_type: type, device_pin: token, ...(appId !== undefined && { device_app_id: appId }) }
  }
  const { endpoint, keys } = given.toJSON?.() ?? given
  if (!isText(endpoint) || !endpoint.startsWith('https://')) throw invalid('an endpoint with https', `${endpoint}`)
  if (!isText(keys?.['p256dh']) || !isText(keys['auth'])) throw invalid('the keys p256dh and auth', 'others')
  const { p256dh, auth } = keys
  return { device_push_type: 'webpush', device_pin: JSON.stringify({ endpoint, keys: { p256dh, auth } }) }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const invalid = (expected: string, got: string): SyncError =>
  new SyncError('value_not_allowed', `registerPush: expected ${expected}, got ${got}.`)

/** An empty address clears the former one. */
const NONE: PushRegistration = { device_pin: '' }

/**
 * The push address of a device, kept in the main file. The server has it for a client, so a device with another client registers again: after a login
 * of another user, a reset, or a server that forgot the client.
 */
export class StoredPushAddress {
  readonly #database: DeviceDatabase
  readonly #settings: SettingsTable

  constructor(database: DeviceDatabase) {
    this.#database = database
    this.#settings = new SettingsTable(database, 'main')
  }

  /** Stores the address; null: the device has none any more. */
  set(registration: PushRegistration | null): void {
    this.#database.durable(() => this.#settings.set('push', registration && JSON.stringify(registration)))
  }

  /** Returns what the server has to be told for this client; undefined if it knows. */
  unregisteredFor(client: string): PushRegistration | undefined {
    const wanted = this.#settings.get('push')
    const registered = this.#settings.get('push_registered')
    if (wanted !== null)
      return registered === registeredText(client, wanted) ? undefined : (JSON.parse(wanted) as PushRegistration)
    return registered?.startsWith(registeredText(client, '')) ? NONE : undefined
  }

  /** True if the server has an address for this client. */
  isRegistered(client: string): boolean {
    return this.#settings.get('push_registered')?.startsWith(registeredText(client, '')) ?? false
  }

  /** Records that the server was told. */
  recordRegistered(client: string, registration: PushRegistration): void {
    const text =
      registration === NONE || registration.device_pin === ''
        ? null
        : registeredText(client, JSON.stringify(registration))
    this.#database.durable(() => this.#settings.set('push_registered', text))
  }
}

const registeredText = (client: string, registration: string): string => `${client} ${registration}`
