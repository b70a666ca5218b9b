import { AdminClient } from '@godwit/admin-client'
import { CLIENT_ID_HEADER, type ClientCreated, type DeviceSession } from '@godwit/protocol'
import { type FcmService, openFcmService, redisIsThere, redisUrl, until } from '@godwit/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'
import { redisAddress, temporaryFolder } from '../harness/stores.js'

const overRedis = redisUrl() !== undefined || redisIsThere() ? test : test.skip

const folder = temporaryFolder()
let fcm: FcmService
beforeAll(async () => {
  fcm = await openFcmService()
})
afterAll(async () => {
  await endAll()
  await fcm.close()
  folder.remove()
})

/** Logs in and registers a phone; returns the headers of its requests. */
async function openPhone(url: string): Promise<Record<string, string>> {
  const post = async (path: string, body: object, headers = {}) => {
    const given = { 'content-type': 'application/json', ...headers }
    const response = await fetch(url + path, { method: 'POST', headers: given, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    return response.json()
  }
  const { session } = (await post('/rc/v1/app/login', { login: 'ada', password: 'ada' })) as DeviceSession
  const authorization = { authorization: `Bearer ${session}` }
  const { client } = (await post('/rc/v1/clients', {}, authorization)) as ClientCreated
  const registration = { device_push_type: 'fcm', device_pin: 'phone' }
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
