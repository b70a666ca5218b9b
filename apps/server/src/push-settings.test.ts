import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVapidKeys } from '@godwit/push/web-push'
import { openApnsService, openFcmService } from '@godwit/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { checkPush } from './commands/doctor/push.js'
import { readSettings } from './config.js'
import { openPushProviders } from './push-providers.js'
import { readPushSettings } from './push-settings.js'

const folder = mkdtempSync(join(tmpdir(), 'godwit-push-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const APNS = {
  SYNC_PUSH_APNS_KEY: 'a key',
  SYNC_PUSH_APNS_KEY_ID: 'ABC123DEFG',
  SYNC_PUSH_APNS_TEAM_ID: 'DEF123GHIJ',
  SYNC_PUSH_APNS_TOPIC: 'org.example.visits',
}

describe('the variables of push messages', () => {
  test('configure nothing when absent', () => {
    expect(readPushSettings({})).toEqual({})
    expect(readSettings({})).toMatchObject({ push: {}, pushFallback: undefined })
  })

  test('take secrets as they are, or from files', () => {
    const SYNC_PUSH_VAPID_SUBJECT = 'mailto:ops@example.org'
    expect(
      readPushSettings({
        ...APNS,
        SYNC_PUSH_APNS_SANDBOX: 'true',
        SYNC_PUSH_FCM_ACCOUNT_FILE: file('account.json', '{"a":1}\n'),
        SYNC_PUSH_FCM_URL: 'http://127.0.0.1:9',
        SYNC_PUSH_VAPID_KEY_FILE: file('vapid', 'a private key\n'),
        SYNC_PUSH_VAPID_SUBJECT,
      }),
    ).toEqual({
      fcm: { account: '{"a":1}', origin: 'http://127.0.0.1:9' },
      apns: {
        key: 'a key',
        keyId: 'ABC123DEFG',
        teamId: 'DEF123GHIJ',
        topic: 'org.example.visits',
        sandbox: true,
      },
      webpush: { privateKey: 'a private key', subject: SYNC_PUSH_VAPID_SUBJECT },
    })
  })

  test.each([
    [
      { SYNC_PUSH_VAPID_KEY: 'hidden' },
      'SYNC_PUSH_VAPID_SUBJECT: expected a value beside SYNC_PUSH_VAPID_KEY, got none.',
    ],
    [
      { ...APNS, SYNC_PUSH_APNS_TOPIC: '', SYNC_PUSH_APNS_KEY_ID: ' ' },
      'SYNC_PUSH_APNS_KEY_ID, SYNC_PUSH_APNS_TOPIC: expected a value beside SYNC_PUSH_APNS_KEY, SYNC_PUSH_APNS_TEAM_ID',
    ],
    [{ SYNC_PUSH_APNS_SANDBOX: 'perhaps' }, 'SYNC_PUSH_APNS_SANDBOX: expected true or false, got "perhaps".'],
    [{ SYNC_PUSH_FCM_URL: 'https://proxy.example/fcm' }, 'SYNC_PUSH_FCM_URL: expected an origin'],
  ])('%j is refused at the start', (environment, message) => {
    expect(() => readSettings(environment)).toThrow(message)
  })
})

describe('doctor', () => {
  let fcm: Awaited<ReturnType<typeof openFcmService>>
  let apns: Awaited<ReturnType<typeof openApnsService>>
  beforeAll(async () => {
    fcm = await openFcmService()
    apns = await openApnsService()
  })
  afterAll(async () => {
    await fcm.close()
    await apns.close()
  })
  const { signal } = new AbortController()

  test('says that no provider is configured', async () => {
    expect(await checkPush({}, signal)).toMatchObject([{ state: 'ok', says: expect.stringContaining('no provider') }])
  })

  test('sends a dry run to each provider, and says what it refuses', async () => {
    const environment = {
      SYNC_PUSH_FCM_ACCOUNT: fcm.account,
      SYNC_PUSH_FCM_URL: fcm.origin,
      SYNC_PUSH_APNS_KEY: apns.options.key,
      SYNC_PUSH_APNS_KEY_ID: apns.options.keyId,
      SYNC_PUSH_APNS_TEAM_ID: 'OTHER',
      SYNC_PUSH_APNS_TOPIC: apns.options.topic,
      SYNC_PUSH_APNS_URL: apns.origin,
      SYNC_PUSH_VAPID_KEY: createVapidKeys().privateKey,
      SYNC_PUSH_VAPID_SUBJECT: 'mailto:ops@example.org',
    }
    expect(await checkPush(environment, signal)).toMatchObject([
      { state: 'ok', about: 'push messages by fcm', says: 'FCM accepts messages of the project field-visits' },
      { state: 'warning', about: 'push messages by apns', says: expect.stringContaining('InvalidProviderToken') },
      { state: 'ok', about: 'push messages by webpush', says: expect.stringMatching(/^messages are signed with/) },
    ])
  })

  test('names an unusable key without repeating it', async () => {
    const [result] = await checkPush({ ...APNS, SYNC_PUSH_APNS_KEY: 'hidden words' }, signal)
    expect(result).toMatchObject({ state: 'problem', says: expect.stringMatching(/^apns\.key: expected the text/) })
    expect(JSON.stringify(result)).not.toContain('hidden words')
  })
})

test('only the configured providers are loaded', async () => {
  expect(await openPushProviders({})).toEqual({})
  const { privateKey } = createVapidKeys()
  expect(Object.keys(await openPushProviders({ webpush: { privateKey, subject: 'mailto:a@b.example' } }))).toEqual([
    'webpush',
  ])
})
