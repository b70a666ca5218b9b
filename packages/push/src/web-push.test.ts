import { openWebPushService, type ReceivedPush, selfSigned, type WebPushService } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { targetFor } from './target.fixture.js'
import { createVapidKeys, webPush } from './web-push.js'

const tls = selfSigned()
const withTls = tls ? describe : describe.skip

const ALL = { do_sync: ['City', 'Visit'], message: 'News', badge: 3, sound: 'bell', vibrate: 2 }
const subject = 'mailto:ops@example.org'

withTls('a browser at a push service', () => {
  const ca = tls?.cert ?? ''
  const { privateKey } = createVapidKeys()
  const provider = webPush({ privateKey, subject })
  const texts: string[] = []
  let service: WebPushService
  beforeAll(async () => {
    if (tls) service = await openWebPushService(tls)
  })
  afterAll(() => service.close())
  afterEach(() => void texts.splice(0))

  const subscribe = (key = provider.publicKey) => JSON.stringify(service.subscribe(key, text => void texts.push(text)))

  test('receives every field, encrypted on the way', async () => {
    expect(await provider.send(ALL, targetFor(subscribe(), { ca }))).toBe('sent')
    expect(texts.map(text => JSON.parse(text) as unknown)).toEqual([ALL])
    const { status, headers, body } = service.received.at(-1) as ReceivedPush
    expect([status, headers['ttl'], headers['urgency']]).toEqual([201, '86400', 'high'])
    expect(body.includes('City')).toBe(false)
  })

  test('receives of waiting messages that show nothing the last of the same sources', async () => {
    const pin = subscribe()
    for (const do_sync of [['City'], ['City'], ['Visit']]) await provider.send({ do_sync }, targetFor(pin, { ca }))
    const topics = service.received.slice(-3).map(({ headers }) => headers['topic'])
    expect([topics[0] === topics[1], topics[0] === topics[2]]).toEqual([true, false])
    await provider.send(ALL, targetFor(pin, { ca }))
    expect(service.received.at(-1)?.headers['topic']).toBeUndefined()
  })

  test('that unsubscribed is gone, and one of another key is refused and kept', async () => {
    const pin = subscribe()
    service.remove((JSON.parse(pin) as { readonly endpoint: string }).endpoint)
    expect(await provider.send(ALL, targetFor(pin, { ca }))).toBe('gone')
    const other = subscribe(createVapidKeys().publicKey)
    await expect(provider.send(ALL, targetFor(other, { ca }))).rejects.toThrow(/403: another VAPID key; the browser/)
  })

  test('behind a busy service is tried again after the seconds that it names', async () => {
    service.answerNext(429, { 'retry-after': '5' })
    expect(await provider.send(ALL, targetFor(subscribe(), { ca }))).toEqual({ retryAfter: 5 })
  })

  test('receives a text of up to 3,993 bytes, and the beginning of a longer one', async () => {
    await provider.send({ do_sync: ['City'], message: 'ä'.repeat(4000) }, targetFor(subscribe(), { ca }))
    expect(Buffer.byteLength(texts[0] ?? '')).toBeGreaterThan(3980)
    expect((JSON.parse(texts[0] ?? '') as { readonly message: string }).message).toMatch(/^ä+…$/)
  })

  test('receives nothing in a dry run', async () => {
    const before = service.received.length
    expect(await provider.send(ALL, targetFor(subscribe(), { ca, isDryRun: true }))).toBe('sent')
    expect(service.received.length).toBe(before)
  })
})

const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') }

test.each([
  ['hello', 'the JSON of a subscription'],
  ['{}', 'an endpoint'],
  [JSON.stringify({ endpoint: 'http://push.example/1', keys }), 'an endpoint with https'],
  [JSON.stringify({ endpoint: 'https://me:secret@push.example/1', keys }), 'an endpoint without credentials'],
  [JSON.stringify({ endpoint: 'https://push.example/1', keys: { ...keys, auth: 'short' } }), 'keys of 65 and 16 bytes'],
])('the address %j is refused before any request', async (pin, expected) => {
  const provider = webPush({ privateKey: createVapidKeys().privateKey, subject })
  const fetch = () => Promise.reject(new Error('a request was made'))
  await expect(provider.send(ALL, targetFor(pin, { fetch }))).rejects.toThrow(
    `expected ${expected} in the push subscription`,
  )
})

test('keys are made as RFC 8292 has them, and the public one follows from the private one', async () => {
  for (let n = 0; n < 300; n++) {
    const { publicKey, privateKey } = createVapidKeys()
    expect([publicKey.length, privateKey.length]).toEqual([87, 43])
    expect(webPush({ privateKey, subject }).publicKey).toBe(publicKey)
  }
  const { privateKey } = createVapidKeys()
  expect(await webPush({ privateKey, subject }).test(new AbortController().signal)).toMatch(/^messages are signed with/)
})

test('an unusable key or subject is refused at once, and the key never quoted', () => {
  const { privateKey } = createVapidKeys()
  expect(() => webPush({ privateKey: 'hidden', subject })).toThrow(
    'webpush.privateKey: expected a VAPID key of 32 bytes in base64url, got 4 bytes.',
  )
  expect(() => webPush({ privateKey: 'A'.repeat(43), subject })).toThrow(/got 32 bytes\.$/)
  expect(() => webPush({ privateKey, subject: 'me' })).toThrow('expected a mailto: or https: address, got "me"')
})
