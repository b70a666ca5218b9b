import { SyncError } from '@godwit/protocol'
import type { Environment } from './environment.js'
import { secretOf } from './secret-of.js'

/** The push providers that are configured, as `@godwit/push` takes their options. Absent members: none. */
export interface PushSettings {
  readonly fcm?: FcmSettings
  readonly apns?: ApnsSettings
  readonly webpush?: WebPushSettings
}

export interface FcmSettings {
  /** The JSON text of a service account. */
  readonly account: string
  readonly title?: string
  readonly channel?: string
  readonly ttl?: number
  readonly origin?: string
}

export interface ApnsSettings {
  /** The text of a `.p8` file. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
  readonly topic: string
  readonly sandbox?: boolean
  readonly ttl?: number
  readonly origin?: string
}

export interface WebPushSettings {
  /** The private VAPID key, as `godwit push-keys` makes it. */
  readonly privateKey: string
  readonly subject: string
  readonly ttl?: number
}

/** Reads the variables `SYNC_PUSH_…`. Throws `value_not_allowed` where a provider has some of its variables, and names the others. */
export function readPushSettings(environment: Environment): PushSettings {
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined
  const secret = (name: string): string | undefined => secretOf(environment, name)?.trim() || undefined
  const fcm = complete({ SYNC_PUSH_FCM_ACCOUNT: secret('SYNC_PUSH_FCM_ACCOUNT') })
  const apns = complete({
    SYNC_PUSH_APNS_KEY: secret('SYNC_PUSH_APNS_KEY'),
    SYNC_PUSH_APNS_KEY_ID: text('SYNC_PUSH_APNS_KEY_ID'),
    SYNC_PUSH_APNS_TEAM_ID: text('SYNC_PUSH_APNS_TEAM_ID'),
    SYNC_PUSH_APNS_TOPIC: text('SYNC_PUSH_APNS_TOPIC'),
  })
  const webpush = complete({
    SYNC_PUSH_VAPID_KEY: secret('SYNC_PUSH_VAPID_KEY'),
    SYNC_PUSH_VAPID_SUBJECT: text('SYNC_PUSH_VAPID_SUBJECT'),
  })
  const sandbox = flagOf(text('SYNC_PUSH_APNS_SANDBOX'))
  const [fcmOrigin, apnsOrigin] = ['SYNC_PUSH_FCM_URL', 'SYNC_PUSH_APNS_URL'].map(name => originOf(name, text(name)))
  return {
    ...(fcm && { fcm: { account: fcm.SYNC_PUSH_FCM_ACCOUNT, ...(fcmOrigin && { origin: fcmOrigin }) } }),
    ...(apns && {
      apns: {
        key: apns.SYNC_PUSH_APNS_KEY,
        keyId: apns.SYNC_PUSH_APNS_KEY_ID,
        teamId: apns.SYNC_PUSH_APNS_TEAM_ID,
        topic: apns.SYNC_PUSH_APNS_TOPIC,
        sandbox,
        ...(apnsOrigin && { origin: apnsOrigin }),
      },
    }),
    ...(webpush && {
      webpush: { privateKey: webpush.SYNC_PUSH_VAPID_KEY, subject: webpush.SYNC_PUSH_VAPID_SUBJECT },
    }),
  }
}

type Texts<Names extends string> = { readonly [Name in Names]: string }

/** Returns the variables if all are set, undefined if none is. */
function complete<Names extends string>(
  variables: { readonly [Name in Names]: string | undefined },
): Texts<Names> | undefined {
  const names = Object.keys(variables) as Names[]
  const missing = names.filter(name => variables[name] === undefined)
  if (missing.length === 0) return variables as Texts<Names>
  if (missing.length === names.length) return undefined
  const given = names.filter(name => variables[name] !== undefined)
  throw invalid(`${missing.join(', ')}: expected a value beside ${given.join(', ')}, got none.`)
}

function flagOf(text: string | undefined): boolean {
  if (text === undefined || /^(0|false|no|off)$/i.test(text)) return false
  if (/^(1|true|yes|on)$/i.test(text)) return true
  throw invalid(`SYNC_PUSH_APNS_SANDBOX: expected true or false, got "${text}".`)
}

function originOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^https?:\/\/[^/]+$/.test(text))) return text
  throw invalid(`${name}: expected an origin such as https://proxy.example, got "${text}".`)
}

const invalid = (message: string): SyncError => new SyncError('value_not_allowed', message)
