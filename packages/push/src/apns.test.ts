import { generateKeyPairSync } from 'node:crypto'
import { type ApnsService, openApnsService, type ReceivedApns } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type ApnsOptions, type ApnsProvider, apns } from './apns.js'
import { targetFor } from './target.fixture.js'

let service: ApnsService
const opened: ApnsProvider[] = []
beforeEach(async () => {
  service = await openApnsService()
})
afterEach(async () => {
  for (const provider of opened.splice(0)) provider.close()
  await service.close()
})

function open(options: Partial<ApnsOptions> = {}): ApnsProvider {
  const provider = apns({ ...service.options, origin: service.origin, ...options })
  opened.push(provider)
  return provider
}

const PHONE = 'a1'.repeat(32)
const ALL = { do_sync: ['City', 'Visit'], message: 'News', badge: 3, sound: 'bell.wav', vibrate: 2 }

test('every field arrives in the form of iOS', async () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(await open({ ttl: 600, clock: () => now }).send(ALL, targetFor(PHONE))).toBe('sent')
  expect(service.received).toMatchObject([
    {
      device: PHONE,
      headers: {
        'apns-topic': 'org.example.visits',
        'apns-push-type': 'alert',
        'apns-priority': '10',
        'apns-expiration': String(now / 1000 + 600),
      },
    },
  ])
  expect(service.received[0]?.payload).toEqual({
    aps: { alert: { body: 'News' }, badge: 3, sound: 'bell.wav', 'content-available': 1 },
    do_sync: ['City', 'Visit'],
    vibrate: 2,
  })
})

test('a message that shows nothing goes as a background push of low priority that replaces the last one', async () => {
  await open().send({ do_sync: ['City'] }, targetFor(PHONE))
  const [{ headers, payload }] = service.received as [ReceivedApns]
  expect(headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' })
  expect(String(headers['apns-collapse-id']).length).toBeLessThanOrEqual(64)
  expect(payload).toEqual({ aps: { 'content-available': 1 }, do_sync: ['City'] })
})

test('a badge of digits is a number, and any other text is left to the app', async () => {
  const provider = open()
  for (const badge of ['12', 'new', 0]) await provider.send({ do_sync: [], message: 'News', badge }, targetFor(PHONE))
  expect(service.received.map(({ payload }) => [payload.aps['badge'], payload['badge']])).toEqual([
    [12, undefined],
    [undefined, 'new'],
    [0, undefined],
  ])
})

test('messages share a connection and a token, which is signed again after 50 minutes', async () => {
  let now = Date.now()
  const provider = open({ clock: () => now })
  const send = () => provider.send(ALL, targetFor(PHONE))
  await send()
  await Promise.all(Array.from({ length: 50 }, send))
  expect([service.connections, service.tokens.size, service.received.length]).toEqual([1, 1, 51])
  now += 51 * 60_000
  await send()
  expect([service.connections, service.tokens.size]).toEqual([1, 2])
})

test('a connection that APNs closed is opened again', async () => {
  const provider = open()
  await provider.send(ALL, targetFor(PHONE))
  service.goAway()
  expect(await provider.send(ALL, targetFor(PHONE))).toBe('sent')
  expect([service.connections, service.received.length]).toEqual([2, 2])
})

describe('the answer', () => {
  test('an unregistered address is gone', async () => {
    service.remove(PHONE)
    expect(await open().send(ALL, targetFor(PHONE))).toBe('gone')
  })

  test('an invalid address is refused and kept, since a wrong setting would clear all of them', async () => {
    await expect(open().send(ALL, targetFor('nonsense'))).rejects.toThrow(/400: BadDeviceToken: .*sandbox/)
    await expect(open().send(ALL, targetFor(PHONE, { appId: 'org.other' }))).rejects.toThrow(/DeviceTokenNotForTopic/)
  })

  test('a busy service names the seconds to wait', async () => {
    service.answerNext(503, 'ServiceUnavailable', { 'retry-after': '9' })
    expect(await open().send(ALL, targetFor(PHONE))).toEqual({ retryAfter: 9 })
    service.answerNext(429, 'TooManyRequests')
    expect(await open().send(ALL, targetFor(PHONE))).toEqual({ retryAfter: 60 })
  })

  test('an expired token is signed again, once', async () => {
    let now = Date.now()
    const provider = open({ clock: () => now })
    await provider.send(ALL, targetFor(PHONE))
    service.answerNext(403, 'ExpiredProviderToken')
    now += 1000
    expect(await provider.send(ALL, targetFor(PHONE))).toBe('sent')
    expect(service.tokens.size).toBe(2)
  })

  test('a service that is away, and an aborted send, reject', async () => {
    const provider = open()
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(provider.send(ALL, targetFor(PHONE, { signal }))).rejects.toThrow('too late')
    await service.close()
    await expect(provider.send(ALL, targetFor(PHONE))).rejects.toThrow()
    service = await openApnsService()
  })
})

test('a long text is shortened to what APNs takes', async () => {
  await open().send({ do_sync: ['City'], message: 'é"\n'.repeat(4000) }, targetFor(PHONE))
  const { body } = (service.received as [ReceivedApns])[0].payload.aps['alert'] as { readonly body: string }
  expect([body.length > 1000, body.endsWith('…')]).toEqual([true, true])
})

test('a dry run signs and sends nothing', async () => {
  expect(await open().send(ALL, targetFor(PHONE, { isDryRun: true }))).toBe('sent')
  expect(service.connections).toBe(0)
})

test('a test needs no device, and says why APNs refuses', async () => {
  const { signal } = new AbortController()
  expect(await open().test(signal)).toBe('APNs accepts the key ABC123DEFG of the team DEF123GHIJ')
  await expect(open({ teamId: 'OTHER' }).test(signal)).rejects.toThrow(
    'APNs refused the message with 403: InvalidProvider',
  )
  await expect(open({ topic: 'org.other' }).test(signal)).rejects.toThrow('DeviceTokenNotForTopic')
})

test('an unusable key is refused at once, and never quoted', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  for (const key of ['hidden words', privateKey.export({ type: 'pkcs8', format: 'pem' }) as string])
    expect(() => open({ key })).toThrow(
      'apns.key: expected the text of a .p8 file, a P-256 key in PKCS #8, got another',
    )
  expect(() => open({ keyId: '' })).toThrow('apns.keyId: expected a text, got none.')
})
