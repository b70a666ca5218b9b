import { type FcmService, openFcmService, type ReceivedFcm } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type FcmOptions, fcm } from './fcm.js'
import { targetFor } from './target.fixture.js'

let service: FcmService
beforeEach(async () => {
  service = await openFcmService()
})
afterEach(() => service.close())

const open = (options: Partial<FcmOptions> = {}) =>
  fcm({ account: service.account, origin: service.origin, ...options })

const ALL = { do_sync: ['City', 'Visit'], message: 'News', badge: 3, sound: 'bell', vibrate: 2 }

test('every field arrives in the form of Android, and of iOS for apps that use FCM there', async () => {
  const provider = open({ title: 'Field Visits', channel: 'visits', ttl: 600 })
  expect(await provider.send(ALL, targetFor('phone'))).toBe('sent')
  expect(service.received).toEqual([
    {
      message: {
        token: 'phone',
        data: { do_sync: '["City","Visit"]', badge: '3', sound: 'bell', vibrate: '2' },
        notification: { title: 'Field Visits', body: 'News' },
        android: {
          priority: 'HIGH',
          ttl: '600s',
          notification: {
            channel_id: 'visits',
            sound: 'bell',
            notification_count: 3,
            vibrate_timings: ['0s', '2s'],
          },
        },
        apns: {
          headers: { 'apns-push-type': 'alert', 'apns-priority': '10' },
          payload: {
            aps: { alert: { body: 'News' }, badge: 3, sound: 'bell', 'content-available': 1 },
            do_sync: ['City', 'Visit'],
            vibrate: 2,
          },
        },
      },
    },
  ])
})

test('a message that shows nothing is data of normal priority, and replaces the last one of the same sources', async () => {
  const provider = open()
  for (const do_sync of [['City'], ['City'], ['Visit']]) await provider.send({ do_sync }, targetFor('phone'))
  const android = service.received.map(({ message }) => message['android'] as Record<string, unknown>)
  expect(android[0]).toEqual({ priority: 'NORMAL', ttl: '86400s', collapse_key: expect.any(String) })
  const keys = android.map(({ collapse_key: key }) => key)
  expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([true, false])
  expect(service.received[0]?.message['notification']).toBeUndefined()
})

test('messages share an access token, which is requested again when it has expired or was revoked', async () => {
  let now = Date.now()
  const provider = open({ clock: () => now })
  await Promise.all(Array.from({ length: 20 }, () => provider.send(ALL, targetFor('phone'))))
  expect(service.tokens).toBe(1)
  now += 3600_000
  await provider.send(ALL, targetFor('phone'))
  expect(service.tokens).toBe(2)
  service.revokeTokens()
  expect(await provider.send(ALL, targetFor('phone'))).toBe('sent')
  expect(service.tokens).toBe(3)
})

describe('the answer', () => {
  test('an unregistered address is gone', async () => {
    service.remove('phone')
    expect(await open().send(ALL, targetFor('phone'))).toBe('gone')
  })

  test('a busy service names the seconds to wait, in either form of Retry-After', async () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    const provider = open({ clock: () => now })
    const later = async (status: number, header: Record<string, string>) => {
      service.answerNext(status, header)
      return provider.send(ALL, targetFor('phone'))
    }
    expect(await later(503, { 'retry-after': '7' })).toEqual({ retryAfter: 7 })
    expect(await later(429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).toEqual({ retryAfter: 30 })
    expect(await later(500, {})).toEqual({ retryAfter: 60 })
    expect(await later(503, { 'retry-after': '9999999' })).toEqual({ retryAfter: 86_400 })
  })

  test('a refusal says what FCM says', async () => {
    service.answerNext(403)
    await expect(open().send(ALL, targetFor('phone'))).rejects.toThrow('FCM refused the message with 403: UNAVAILABLE')
  })

  test('an aborted send rejects', async () => {
    const signal = AbortSignal.abort(new Error('too late'))
    await open().send(ALL, targetFor('phone'))
    await expect(open().send(ALL, targetFor('phone', { signal }))).rejects.toThrow('too late')
  })
})

test('a long text is shortened to what FCM takes, and sources that do not fit are refused', async () => {
  const provider = open()
  expect(await provider.send({ do_sync: ['City'], message: '😀'.repeat(4000) }, targetFor('phone'))).toBe('sent')
  const { body } = (service.received as [ReceivedFcm])[0].message['notification'] as { readonly body: string }
  expect(body).toMatch(/^(😀)+…$/u)
  const do_sync = Array.from({ length: 1000 }, (_, n) => `Source number ${n}`)
  await expect(provider.send({ do_sync }, targetFor('phone'))).rejects.toThrow(/^expected a push message of at most/)
})

test('a dry run is validated and not delivered', async () => {
  await open().send(ALL, targetFor('phone', { isDryRun: true }))
  expect(service.received.map(({ validate_only }) => validate_only)).toEqual([true])
  service.remove('phone')
  expect(await open().send(ALL, targetFor('phone', { isDryRun: true }))).toBe('gone')
})

test('a test needs no device, and says why FCM refuses', async () => {
  const { signal } = new AbortController()
  expect(await open().test(signal)).toBe('FCM accepts messages of the project field-visits')
  expect(service.received).toMatchObject([{ validate_only: true, message: { topic: 'godwit-dry-run' } }])
  const other = await openFcmService()
  const { private_key } = JSON.parse(other.account) as { readonly private_key: string }
  const wrong = open({ account: JSON.stringify({ ...JSON.parse(service.account), private_key }) })
  await expect(wrong.test(signal)).rejects.toThrow('Google refused the message with 400: no access token: Invalid JWT')
  await other.close()
})

test.each([
  ['nonsense', /^fcm\.account: expected the JSON of a service account, got 8 characters/],
  ['{"project_id":"p"}', /got one without client_email, private_key\.$/],
])('the account %j is refused at once', (account, message) => {
  expect(() => open({ account })).toThrow(message)
})
