import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { CLIENT_ID_HEADER, type ClientCreated, type DeviceSession } from '@godwit/protocol'
import { createVapidKeys } from '@godwit/push/web-push'
import {
  type ApnsService,
  type FcmService,
  openApnsService,
  openFcmService,
  openWebPushService,
  redisIsThere,
  redisUrl,
  selfSigned,
  until,
  type WebPushService,
} from '@godwit/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { endAll, inRepository, start } from '../harness/process.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'
import { redisAddress, temporaryFolder } from '../harness/stores.js'

const certificate = selfSigned()
const overRedis = redisUrl() !== undefined || redisIsThere() ? test : test.skip

const folder = temporaryFolder()
let fcm: FcmService
let apns: ApnsService
let webPush: WebPushService | undefined
beforeAll(async () => {
  fcm = await openFcmService()
  apns = await openApnsService()
  webPush = certificate && (await openWebPushService(certificate))
})
afterAll(async () => {
  await endAll()
  await fcm.close()
  await apns.close()
  await webPush?.close()
  folder.remove()
})

/** Logs in and registers a device; returns the headers of its requests. */
async function openPhone(url: string, type = 'fcm', pin = 'phone'): Promise<Record<string, string>> {
  const post = async (path: string, body: object, headers = {}) => {
    const given = { 'content-type': 'application/json', ...headers }
    const response = await fetch(url + path, { method: 'POST', headers: given, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    return response.json()
  }
  const { session } = (await post('/rc/v1/app/login', { login: 'ada', password: 'ada' })) as DeviceSession
  const authorization = { authorization: `Bearer ${session}` }
  const { client } = (await post('/rc/v1/clients', {}, authorization)) as ClientCreated
  const registration = { device_push_type: type, device_pin: pin }
  await post(`/rc/v1/clients/${client.client_id}/register`, registration, authorization)
  return { ...authorization, [CLIENT_ID_HEADER]: client.client_id }
}

overRedis(
  'a ping to one of two delivered servers reaches a listening device of the other, and a sleeping one by FCM',
  async () => {
    const store = await redisAddress(folder.path)
    const environment = { SYNC_PUSH_FCM_ACCOUNT: fcm.account, SYNC_PUSH_FCM_URL: fcm.origin }
    const [one, two] = [await startServer({ store, environment }), await startServer({ store, environment })]
    const operator = await AdminClient.login({ url: one.url, login: 'admin', password: ADMIN_PASSWORD })
    const headers = await openPhone(one.url)

    const response = await fetch(`${two.url}/rc/v1/app/events`, { headers })
    const events = (response.body as ReadableStream<Uint8Array>).getReader()
    const read = async () => new TextDecoder().decode((await events.read()).value)
    expect(await read()).toMatch(/^event: check\n/)
    const news = { sources: ['City'], message: 'News' }
    expect(await operator.users.ping('ada', news)).toEqual({ sent: 1, skipped: [], failed: [] })
    expect(await read()).toBe('event: ping\ndata: {"do_sync":["City"],"message":"News"}\n\n')
    expect(fcm.received).toEqual([])

    await events.cancel()
    const client = headers[CLIENT_ID_HEADER] ?? ''
    await until(async () => {
      const answer = await operator.users.ping('ada', { message: `Are you there? ${Date.now()}` })
      return answer.sent === 1 && fcm.received.length > 0
    })
    const before = fcm.received.length
    expect(await operator.users.ping('ada', news)).toEqual({ sent: 1, skipped: [], failed: [] })
    expect(fcm.received.slice(before)).toMatchObject([
      { message: { token: 'phone', notification: { body: 'News' }, data: { do_sync: '["City"]' } } },
    ])

    fcm.remove('phone')
    expect(await operator.users.ping('ada', { message: 'Gone?' })).toMatchObject({
      failed: [{ client, reason: 'gone' }],
    })
    expect(await operator.clients.get(client)).toMatchObject({ device_pin: null, push: { gone: 1 } })
  },
  120_000,
)

const withCertificate = certificate === undefined ? test.skip : overRedis

withCertificate(
  'every field of a ping arrives in the form of each platform, and a push of objects wakes the same devices',
  async () => {
    const authority = join(folder.path, 'authority.pem')
    writeFileSync(authority, certificate?.cert ?? '')
    const { privateKey, publicKey } = createVapidKeys()
    const environment = {
      SYNC_PUSH_FCM_ACCOUNT: fcm.account,
      SYNC_PUSH_FCM_URL: fcm.origin,
      SYNC_PUSH_APNS_KEY: apns.options.key,
      SYNC_PUSH_APNS_KEY_ID: apns.options.keyId,
      SYNC_PUSH_APNS_TEAM_ID: apns.options.teamId,
      SYNC_PUSH_APNS_TOPIC: apns.options.topic,
      SYNC_PUSH_APNS_URL: apns.origin,
      SYNC_PUSH_VAPID_KEY: privateKey,
      SYNC_PUSH_VAPID_SUBJECT: 'mailto:ops@example.org',
      NODE_EXTRA_CA_CERTS: authority,
    }
    const store = `${await redisAddress(folder.path)}notes:`
    const options = { store, config: 'notifying-notes.mjs', environment }
    const [one, two] = [await startServer(options), await startServer(options)]
    const shown: unknown[] = []
    const subscription = webPush?.subscribe(publicKey, text => void shown.push(JSON.parse(text)))
    const phone = 'b2'.repeat(32)
    await openPhone(one.url, 'fcm', 'android')
    await openPhone(one.url, 'apns', phone)
    await openPhone(one.url, 'webpush', JSON.stringify(subscription))
    const before = fcm.received.length

    const fields = ['--message', 'News', '--badge', '3', '--sound', 'bell.wav', '--vibrate', '2', '--source', 'Note']
    const caller = { GODWIT_URL: two.url, GODWIT_LOGIN: 'admin', GODWIT_PASSWORD: ADMIN_PASSWORD }
    const command = start(inRepository('apps/server/dist/godwit.js'), ['ping', 'ada', ...fields], caller)
    expect(await command.exit).toMatchObject({ code: 0 })
    expect(command.output().out).toContain('sent to 3 devices')
    const all = { do_sync: ['Note'], message: 'News', badge: 3, sound: 'bell.wav', vibrate: 2 }
    expect(shown).toEqual([all])
    expect(apns.received).toMatchObject([
      {
        device: phone,
        payload: {
          aps: { alert: { body: 'News' }, badge: 3, sound: 'bell.wav', 'content-available': 1 },
          do_sync: ['Note'],
          vibrate: 2,
        },
      },
    ])
    expect(fcm.received.slice(before)).toMatchObject([
      {
        message: {
          token: 'android',
          notification: { body: 'News' },
          data: { do_sync: '["Note"]', badge: '3', sound: 'bell.wav', vibrate: '2' },
          android: { notification: { sound: 'bell.wav', notification_count: 3, vibrate_timings: ['0s', '2s'] } },
        },
      },
    ])

    const operator = await AdminClient.login({ url: two.url, login: 'admin', password: ADMIN_PASSWORD })
    await operator.push.objects('Note', 'ada', { 1: { text: 'A new note' } })
    await until(() => shown.length === 2 && apns.received.length === 2 && fcm.received.length === before + 2)
    expect(shown[1]).toEqual({ do_sync: ['Note'] })
    expect(apns.received[1]?.payload).toEqual({ aps: { 'content-available': 1 }, do_sync: ['Note'] })
    expect(fcm.received.at(-1)?.message).toMatchObject({ token: 'android', data: { do_sync: '["Note"]' } })
    // One of the two servers sends each, never both.
    expect([shown.length, apns.received.length, fcm.received.length]).toEqual([2, 2, before + 2])
  },
  120_000,
)
