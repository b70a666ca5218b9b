import type { ClientInfo, ClientSource, Page } from '@godwit/protocol'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { EDGES, failure, json, type TestServer } from '../../testing/open-server.js'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

describe.each(EDGES)('clients as operators see them, %s', (_, open) => {
  let on: TestServer
  let headers: Record<string, string>
  beforeEach(async () => {
    on = await open()
    headers = await on.as()
  })
  afterEach(() => on.server.close())

  const get = (id: string) => on.call('GET', `/rc/v1/clients/${encodeURIComponent(id)}`, { headers })
  const list = (query = '') => on.call('GET', `/rc/v1/clients${query}`, { headers })

  test('have the push registration of a device', async () => {
    verifies('rest.clients.read')

    const { client, headers: device } = await on.device('ada')
    const registration = { device_type: 'android', device_pin: 'p', device_port: 7 }
    await on.call('POST', `/rc/v1/clients/${client}/register`, { headers: device, body: registration })
    const info = await json<ClientInfo>(await get(client))
    expect(info).toEqual({
      client_id: client,
      user: 'ada',
      ...registration,
      device_push_type: null,
      phone_id: null,
      device_app_id: null,
      device_app_version: null,
      created_at: TIME,
      last_sync: null,
      listening: false,
      positions: {},
      push: { sent: 0, refused: 0, gone: 0, opened: 0 },
    })
  })

  test('have the last contact and the position of a device', async () => {
    const { client, headers: device } = await on.device('ada')
    const body = { user_id: 'ada', objects: { a: { x: 1 } } }
    await on.call('POST', '/app/v1/Visit/push_objects', { headers, body })
    const { token } = await json<Page>(await on.call('GET', '/app/v1/Visit', { headers: device }))
    expect(await json(await get(client))).toMatchObject({ positions: { Visit: 0 } })
    await on.call('GET', `/app/v1/Visit?token=${token}`, { headers: device })
    expect(await json(await get(client))).toMatchObject({
      client_id: client,
      user: 'ada',
      last_sync: TIME,
      positions: { Visit: 1 },
    })
  })

  test('come page by page with what each told', async () => {
    const { client } = await on.device('ada')
    const { client: other } = await on.device('grace')
    const page = async (query: string) =>
      json<ClientInfo[]>(await on.call('GET', `/rc/v1/system/clients${query}`, { headers }))
    const { listening, positions, push, ...line } = await json<ClientInfo>(await get(client))
    expect(await page('?user=ada')).toEqual([line])
    expect((await page('')).map(one => one.client_id)).toEqual([client, other].sort())
    expect(await page('?limit=1')).toHaveLength(1)
    expect(await failure(await on.call('GET', '/rc/v1/system/clients?user=nobody', { headers }))).toBe(
      '404 user_not_found',
    )
  })

  test('tell what they have of each source, what waits, and what they have not heard', async () => {
    const { client, headers: device } = await on.device('ada')
    const body = { user_id: 'ada', objects: { a: { x: 1 } } }
    await on.call('POST', '/app/v1/Visit/push_objects', { headers, body })
    const { token, epoch } = await json<Page>(await on.call('GET', '/app/v1/Visit', { headers: device }))
    await on.call('GET', `/app/v1/Visit?token=${token}`, { headers: device })
    const mutation = { number: 1, key: 'key-of-the-first-1', operation: 'create', object: 't1', attributes: { a: 1 } }
    const push = { epoch, acknowledged: 0, mutations: [mutation] }
    await on.call('POST', '/app/v1/Visit', { headers: device, body: push })
    const sources = await json<ClientSource[]>(await on.call('GET', `/rc/v1/clients/${client}/sources`, { headers }))
    expect(sources).toEqual([
      { source: 'City', partition: '*', version: null, recorded_at: null, head: 0, queued: 0, outcomes: [] },
      {
        source: 'Visit',
        partition: 'user:ada',
        version: 1,
        recorded_at: TIME,
        head: 1,
        queued: 0,
        outcomes: [
          { number: 1, status: 'refused', error: expect.objectContaining({ code: 'operation_not_supported' }) },
        ],
      },
    ])
    expect(await failure(await on.call('GET', '/rc/v1/clients/nobody/sources', { headers }))).toBe(
      '404 client_not_found',
    )
  })

  test('are listed page by page, all or those of a user', async () => {
    const made: string[] = []
    for (const login of ['ada', 'ada', 'grace']) made.push((await on.device(login)).client)
    const sorted = [...made].sort()
    expect(await json(await list())).toEqual(sorted)
    expect(await json(await list('?limit=2'))).toEqual(sorted.slice(0, 2))
    expect(await json(await list(`?after=${sorted[1]}&limit=2`))).toEqual(sorted.slice(2))
    expect(await json(await list('?user=ada'))).toEqual(made.slice(0, 2).sort())
  })

  test.each(['?limit=0', '?limit=1001', '?limit=x'])('are not listed with %s', async query => {
    expect(await failure(await list(query))).toBe('422 body_invalid')
  })

  test('are 404 where client or user is unknown', async () => {
    for (const id of ['none', '__proto__', '*', 'a/b'])
      expect(await failure(await get(id))).toBe('404 client_not_found')
    expect(await failure(await list('?user=nobody'))).toBe('404 user_not_found')
  })
})
