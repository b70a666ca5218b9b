import { API_TOKEN_HEADER, CLIENT_ID_HEADER } from '@godwit/protocol'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { EDGES, failure, openServer, type TestServer } from '../testing/open-server.js'

describe.each(EDGES)('who calls, %s', (_, open) => {
  let on: TestServer
  beforeEach(async () => {
    on = await open({ origins: ['https://app.test'] })
  })
  afterEach(() => on.server.close())

  const pull = (headers: Record<string, string>) => on.call('GET', '/app/v1/City', { headers })

  test('a device is known by its session and its client', async () => {
    const { headers } = await on.device('ada')
    expect((await pull(headers)).status).toBe(200)
    const authorization = headers['authorization']?.replace('Bearer', 'bEARER') ?? ''
    expect((await pull({ ...headers, authorization })).status).toBe(200)
  })

  test('a missing or unknown session is 401', async () => {
    const { client } = await on.device('ada')
    const answer = await pull({ [CLIENT_ID_HEADER]: client })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="godwit"')
    expect(await failure(answer)).toBe('401 session_missing')
    for (const authorization of ['Bearer x', 'Bearer ', 'Basic YWRhOmFkYQ==', `Bearer ${'x'.repeat(4000)}`]) {
      expect(await failure(await pull({ authorization, [CLIENT_ID_HEADER]: client }))).toBe('401 session_missing')
    }
  })

  test('a missing client is 400, an unknown one 404', async () => {
    const { headers } = await on.device('ada')
    const { authorization = '' } = headers
    expect(await failure(await pull({ authorization }))).toBe('400 client_missing')
    for (const client of ['x', '__proto__', '*']) {
      const answer = await pull({ authorization, [CLIENT_ID_HEADER]: client })
      expect(await failure(answer)).toBe('404 client_not_found')
    }
  })

  test("another user's client is refused, in the header and in a path", async () => {
    const ada = await on.device('ada')
    const grace = await on.device('grace')
    const mixed = { ...ada.headers, [CLIENT_ID_HEADER]: grace.client }
    expect(await failure(await pull(mixed))).toBe('403 not_your_client')
    const register = await on.call('POST', `/rc/v1/clients/${grace.client}/register`, {
      headers: ada.headers,
      body: {},
    })
    expect(await failure(register)).toBe('403 not_your_client')
    const reset = await on.call('POST', `/rc/v1/clients/${grace.client}/reset`, { headers: ada.headers })
    expect(await failure(reset)).toBe('403 not_your_client')
  })

  test('a token is no session, and a session no token', async () => {
    const { client, session } = await on.device('ada')
    const admin = await on.as()
    const token = admin[API_TOKEN_HEADER] ?? ''
    expect(await failure(await pull({ ...admin, [CLIENT_ID_HEADER]: client }))).toBe('401 session_missing')
    const bearer = { authorization: `Bearer ${token}`, [CLIENT_ID_HEADER]: client }
    expect(await failure(await pull(bearer))).toBe('401 session_missing')
    const users = (headers: Record<string, string>) => on.call('GET', '/rc/v1/users', { headers })
    expect(await failure(await users({ authorization: `Bearer ${session.session}` }))).toBe('401 token_missing')
    expect(await failure(await users({ [API_TOKEN_HEADER]: session.session }))).toBe('401 token_invalid')
  })

  test('a token is accepted in its header only', async () => {
    verifies('rest.authentication.header')

    const admin = await on.as()
    const token = admin[API_TOKEN_HEADER] ?? ''
    const missing = await on.call('GET', `/rc/v1/users?api_token=${token}`)
    expect(missing.headers.get('www-authenticate')).toContain(API_TOKEN_HEADER)
    expect(await failure(missing)).toBe('401 token_missing')
    const body = { api_token: token, attributes: { login: 'x', password: 'x' } }
    expect(await failure(await on.call('POST', '/rc/v1/users', { body }))).toBe('401 token_missing')
    const wrong = { [API_TOKEN_HEADER]: `${token}x` }
    expect(await failure(await on.call('GET', '/rc/v1/users', { headers: wrong }))).toBe('401 token_invalid')
    expect((await on.call('GET', '/rc/v1/users', { headers: admin })).status).toBe(200)
  })

  test('the cookie is accepted from pages of the same and of configured origins', async () => {
    const { client, session } = await on.device('ada')
    const cookie = `theme=dark; sync_session=${session.session}; more=1`
    const host = 'device.test:1'
    const from = (origin?: string) => pull({ cookie, host, [CLIENT_ID_HEADER]: client, ...(origin && { origin }) })
    expect((await from()).status).toBe(200)
    expect((await from('https://app.test')).status).toBe(200)
    for (const origin of ['https://foreign.test', 'null', 'https://app.test.foreign.test', 'http://app.test']) {
      expect(await failure(await from(origin))).toBe('403 origin_not_allowed')
    }
  })

  test('a bearer token is accepted from any origin', async () => {
    const { headers } = await on.device('ada')
    expect((await pull({ ...headers, origin: 'https://foreign.test' })).status).toBe(200)
  })
})

test('the origin of the server is that of its address', async () => {
  const on = openServer()
  const { client, session } = await on.device('ada')
  const headers = { cookie: `sync_session=${session.session}`, [CLIENT_ID_HEADER]: client }
  const own = await on.call('GET', '/app/v1/City', { headers: { ...headers, origin: 'http://sync.test' } })
  expect(own.status).toBe(200)
  const init = { headers: { ...headers, origin: 'http://sync.test' } }
  const downgraded = await on.server.fetch('https://sync.test/app/v1/City', init)
  expect(await failure(downgraded)).toBe('403 origin_not_allowed')
})

test('the use of sessions and clients is noted once a minute, without a wait', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const on = openServer({ clock: () => now })
  const { headers, client } = await on.device('ada')
  const pull = () => on.call('GET', '/app/v1/City', { headers })
  // The first call also records once that a collection has data of the client.
  await pull()
  const merges: string[] = []
  const { registry } = on.store
  const merge = registry.merge.bind(registry)
  registry.merge = (kind, id, change, options) => {
    merges.push(kind)
    return new Promise(resolve => setTimeout(resolve, 20)).then(() => merge(kind, id, change, options))
  }
  now += 61_000
  await Promise.all([pull(), pull(), pull()])
  // The client's last use and position, and the session's last use.
  expect(merges.sort()).toEqual(['client', 'client', 'credential'])
  await new Promise(resolve => setTimeout(resolve, 60))
  await pull()
  expect(merges).toHaveLength(3)
  expect((await registry.get('client', client))?.value['seen_at']).toBe(now)
})
