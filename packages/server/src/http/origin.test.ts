import { CLIENT_ID_HEADER, QUERY_HEADER } from '@godwit/protocol'
import { afterEach, describe, expect, test } from '@jest/globals'
import { EDGES, type TestServer } from '../testing/open-server.js'

const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
const PATHS = ['/app/v1/City', '/rc/v1/app/login', '/rc/v1/system/login', '/rc/v1/users', '/rc/v1/clients', '/healthz']

describe.each(EDGES)('pages of other origins, %s', (_, open) => {
  let on: TestServer
  afterEach(() => on.server.close())

  const preflight = (path: string, origin: string) => on.call('OPTIONS', path, { headers: { origin, ...PREFLIGHT } })
  const corsOf = (answer: Response): readonly string[] =>
    [...answer.headers.keys()].filter(name => name.startsWith('access-control-'))

  test('may read nothing on any path unless one is configured', async () => {
    on = await open()
    for (const path of PATHS) {
      for (const origin of ['https://app.test', 'null', 'http://localhost', 'http://127.0.0.1:8675']) {
        expect(corsOf(await preflight(path, origin))).toEqual([])
        expect(corsOf(await on.call('GET', path, { headers: { origin } }))).toEqual([])
      }
    }
  })

  test('may call where exactly their origin is configured', async () => {
    on = await open({ origins: ['https://app.test'] })
    const own = await preflight('/app/v1/City', 'https://app.test')
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.test'])
    expect(own.headers.get('access-control-allow-methods')).toContain('POST')
    expect(own.headers.get('vary')).toContain('Origin')
    const near = ['http://app.test', 'https://app.test:444', 'https://app.test.evil.test', 'https://evilapp.test', '*']
    for (const origin of near) expect(corsOf(await preflight('/app/v1/City', origin))).toEqual([])
  })

  test('may use the headers of a device, and cache the preflight for two hours', async () => {
    on = await open({ origins: ['https://app.test'] })
    const allowed = await preflight('/app/v1/City/pull', 'https://app.test')
    for (const name of ['Authorization', CLIENT_ID_HEADER, QUERY_HEADER, 'Range', 'If-Range', 'If-None-Match'])
      expect(allowed.headers.get('access-control-allow-headers')).toContain(name)
    expect(allowed.headers.get('access-control-max-age')).toBe('7200')
    const answer = await on.call('POST', '/app/v1/City/pull', { headers: { origin: 'https://app.test' }, body: {} })
    expect(answer.status).toBe(401)
    for (const name of ['Retry-After', 'ETag', 'Date', 'Content-Range'])
      expect(answer.headers.get('access-control-expose-headers')).toContain(name)
  })

  test('change nothing with a cookie that the browser attaches', async () => {
    on = await open()
    const { session, client } = await on.device('ada')
    const cookie = `sync_session=${session.session}`
    const headers = { cookie, origin: 'https://foreign.test', [CLIENT_ID_HEADER]: client }
    const calls = ['/app/v1/City', '/rc/v1/app/logout', '/rc/v1/clients', `/rc/v1/clients/${client}/reset`]
    for (const path of calls) expect((await on.call('POST', path, { headers, body: {} })).status).toBe(403)
    const bearer = { authorization: `Bearer ${session.session}`, [CLIENT_ID_HEADER]: client }
    expect((await on.call('GET', '/app/v1/City', { headers: bearer })).status).toBe(200)
  })
})
