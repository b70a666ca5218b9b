import { API_TOKEN_HEADER, ERROR_CODES, type Problem } from '@godwit/protocol'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { EDGES, failure, json, openServer, type TestServer } from '../testing/open-server.js'

describe.each(EDGES)('every answer, %s', (_, open) => {
  let on: TestServer
  let admin: Record<string, string>
  beforeEach(async () => {
    on = await open()
    admin = await on.as()
  })
  afterEach(() => on.server.close())

  test('is JSON in UTF-8 that caches must not store', async () => {
    verifies('rest.conventions.success', 'rest.conventions.prefix-administration')

    const answer = await on.call('GET', '/rc/v1/users', { headers: admin })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.json()).toEqual([])
  })

  test('a bare token and string documents are plain text', async () => {
    const login = await on.call('POST', '/rc/v1/system/login', {
      body: { login: 'admin', password: 'a long admin password' },
    })
    expect(login.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await login.text()).toMatch(/^[\w-]{43}$/)
    const path = '/rc/v1/users/*/sources/City/docs/note'
    await on.call('POST', path, { headers: admin, body: { data: 'grüße' } })
    const document = await on.call('GET', path, { headers: admin })
    expect(document.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await document.text()).toBe('grüße')
  })

  test('a trailing slash makes no difference', async () => {
    expect((await on.call('GET', '/rc/v1/users/', { headers: admin })).status).toBe(200)
    const { headers } = await on.device('ada')
    expect((await on.call('GET', '/app/v1/City/?p_size=0', { headers })).status).toBe(200)
    for (const path of ['/healthz/', '/readyz/', '/metrics/']) expect((await on.ask(path)).status).toBe(200)
  })

  test.each(['a/b', 'a b', 'a:b', 'ä%', '...', '__proto__', 'constructor', 'x\ny', '🏝'])(
    'the login %j is reachable by its path',
    async login => {
      verifies('rest.conventions.path-parameters')

      await on.call('POST', '/rc/v1/users', { headers: admin, body: { attributes: { login, password: 'x', a: 1 } } })
      await on.call('POST', '/rc/v1/users', { headers: admin, body: { attributes: { login: 'other', password: 'x' } } })
      const answer = await on.call('GET', `/rc/v1/users/${encodeURIComponent(login)}`, { headers: admin })
      expect(await answer.json()).toMatchObject({ login, attributes: { a: 1 } })
    },
  )

  test('an address that is not percent-encoded is refused', async () => {
    expect(await failure(await on.call('GET', '/rc/v1/users/%E0%A4%A', { headers: admin }))).toBe('422 body_invalid')
  })

  test('an unknown path is 404, with and without a token', async () => {
    for (const path of ['/rc/v1/nowhere', '/app/v1', '/app/v1/City/nothing', '/rc/v1/users//clients', '/', '/x']) {
      expect(await failure(await on.call('GET', path, { headers: admin }))).toBe('404 route_not_found')
      expect(await failure(await on.call('GET', path))).toBe('404 route_not_found')
    }
  })

  test('another method is 405 with the allowed methods', async () => {
    const answer = await on.call('PUT', '/rc/v1/users', { headers: admin })
    expect(answer.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS')
    expect(await failure(answer)).toBe('405 method_not_allowed')
  })

  test('a login may equal the name of a route', async () => {
    const attributes = { login: 'ping', password: 'secret' }
    const call = (method: string, body?: object) => on.call(method, '/rc/v1/users/ping', { headers: admin, body })
    await on.call('POST', '/rc/v1/users', { headers: admin, body: { attributes } })
    expect((await call('PUT', { attributes: { team: 'north' } })).status).toBe(200)
    expect(await json(await call('GET'))).toMatchObject({ login: 'ping', attributes: { team: 'north' } })
    expect((await call('HEAD')).status).toBe(200)
    expect((await call('POST', { user_id: 'ping' })).status).toBe(200)
    const answer = await call('PATCH')
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])
    expect(await failure(answer)).toBe('405 method_not_allowed')
    expect((await call('DELETE')).status).toBe(200)
    expect(await failure(await call('GET'))).toBe('404 user_not_found')
  })

  test('HEAD answers as GET does, without a body', async () => {
    for (const path of ['/rc/v1/users', '/rc/v1/users/*/sources/City/docs/md', '/healthz']) {
      const answer = await on.call('HEAD', path, { headers: admin })
      expect([answer.status, await answer.text()]).toEqual([200, ''])
    }
    expect((await on.call('HEAD', '/rc/v1/users')).status).toBe(401)
  })

  test('OPTIONS lists the methods, and needs no token', async () => {
    const answer = await on.call('OPTIONS', '/rc/v1/users/ada', { headers: { origin: 'http://foreign.test' } })
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, PUT, DELETE, OPTIONS'])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(await failure(await on.call('OPTIONS', '/nowhere'))).toBe('404 route_not_found')
  })

  test('an error is a problem with its status', async () => {
    verifies('rest.errors.status', 'rest.errors.message')

    const answer = await on.call('GET', '/rc/v1/users/nobody', { headers: admin })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    const problem = await json<Problem>(answer)
    expect(problem).toEqual({
      type: '/docs/errors#user_not_found',
      title: 'No user has this login',
      status: 404,
      detail: 'There is no user "nobody".',
      code: 'user_not_found',
    })
    expect(answer.status).toBe(problem.status)
    expect(ERROR_CODES).toHaveProperty(problem.code)
  })

  test('an invalid body is reported member by member', async () => {
    const answer = await on.call('POST', '/app/v1/City/push_objects', { headers: admin, body: { objects: [] } })
    expect(await json(answer)).toMatchObject({
      status: 422,
      code: 'body_invalid',
      detail: 'The body is not valid: /user_id is required, but missing.',
      errors: [
        { path: '/user_id', message: 'is required, but missing' },
        { path: '/objects', message: 'must be object, got a list of 0' },
      ],
    })
  })

  test.each(['', '{', '[1,]', '"\ud800', 'undefined'])('the body %j is malformed', async body => {
    const init = { method: 'POST', headers: { ...admin, 'content-type': 'application/json' }, body }
    expect(await failure(await on.ask('/rc/v1/users', init))).toBe('400 malformed_json')
  })

  test('a malformed body is reported with its position, and not quoted', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"password":"hunter2"x}' }
    const { detail } = (await (await on.ask('/rc/v1/app/login', init)).json()) as { detail: string }
    expect(detail).toBe('The body is not JSON (at character 21); one JSON value was expected.')
  })

  test('a body that is not UTF-8 is malformed', async () => {
    const body = Buffer.from('{"attributes":{"login":"\xff"}}', 'latin1')
    const init = { method: 'POST', headers: { ...admin, 'content-type': 'application/json' }, body }
    expect(await failure(await on.ask('/rc/v1/users', init))).toBe('400 malformed_json')
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
  ])('a body of type %s is refused', async type => {
    const init = { method: 'POST', headers: { ...admin, 'content-type': type }, body: '{}' }
    expect(await failure(await on.ask('/rc/v1/users', init))).toBe('415 unsupported_media_type')
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/JSON;charset="UTF-8"',
    'application/merge-patch+json',
  ])('a body of type %s is read', async type => {
    verifies('rest.conventions.json-body')

    const body = JSON.stringify({ attributes: { login: 'ada', password: 'x' } })
    const init = { method: 'POST', headers: { ...admin, 'content-type': type }, body }
    expect((await on.ask('/rc/v1/users', init)).status).toBe(200)
  })

  test('a compressed body is refused and not read as text', async () => {
    const headers = { ...admin, 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect(await failure(await on.ask('/rc/v1/users', { method: 'POST', headers, body: '{}' }))).toBe(
      '415 unsupported_media_type',
    )
  })

  test('a body over the limit of its route is refused', async () => {
    const attributes = { login: 'ada', password: 'x', long: 'x'.repeat(1024 * 1024) }
    const answer = await on.call('POST', '/rc/v1/users', { headers: admin, body: { attributes } })
    expect(await failure(answer)).toBe('413 body_too_large')
    const objects = { a: { long: 'x'.repeat(2 * 1024 * 1024) } }
    const pushed = await on.call('POST', '/app/v1/City/push_objects', {
      headers: admin,
      body: { user_id: '*', objects },
    })
    expect(pushed.status).toBe(200)
  })

  test('a streamed body over the limit is refused while it arrives', async () => {
    const part = new TextEncoder().encode('x'.repeat(64 * 1024))
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: controller => (sent++ < 40 ? controller.enqueue(part) : controller.close()),
    })
    const init = { method: 'POST', headers: { ...admin, 'content-type': 'application/json' }, body, duplex: 'half' }
    expect(await failure(await on.ask('/rc/v1/users', init as RequestInit))).toBe('413 body_too_large')
  })

  test('unknown members of a body are ignored', async () => {
    const body = { user_id: '*', objects: { a: { x: 1 } }, api_token: 'x', later: { version: 9 } }
    expect((await on.call('POST', '/app/v1/City/push_objects', { headers: admin, body })).status).toBe(200)
  })

  test('a refused request changes nothing', async () => {
    const objects = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`id${index}`, { index }]))
    const body = { user_id: '*', objects: { ...objects, ['x'.repeat(1025)]: {} } }
    const answer = await on.call('POST', '/app/v1/City/push_objects', { headers: admin, body })
    expect(await failure(answer)).toBe('422 body_invalid')
    const size = await on.call('GET', '/rc/v1/users/*/sources/City/docs/md_size', { headers: admin })
    expect(await size.text()).toBe('0')
  })

  test('a read takes its parameters from the query', async () => {
    verifies('rest.conventions.query-parameters')

    const readers = await on.call('GET', '/rc/v1/users?role=admin', { headers: admin })
    expect(await readers.json()).toEqual(['admin'])
    expect(await failure(await on.call('GET', '/rc/v1/users?role=king', { headers: admin }))).toBe('422 body_invalid')
  })
})

test('an internal error is logged under an id, and the answer has the id only', async () => {
  const logged: object[] = []
  const nothing = () => {}
  const log = { error: (facts: object) => void logged.push(facts), warn: nothing, info: nothing, debug: nothing }
  const on = openServer({ log })
  const admin = await on.as()
  await on.device('ada')
  on.store.registry.count = () => Promise.reject(new Error('secret: disk full at /var/lib'))
  const answer = await on.call('GET', '/rc/v1/users/ada', { headers: admin })
  const text = await answer.text()
  expect([answer.status, JSON.parse(text).code]).toEqual([500, 'internal'])
  expect(text).not.toContain('secret')
  const [facts] = logged as { id: string; error: string }[]
  expect(facts?.error).toContain('disk full')
  expect(text).toContain(facts?.id)
})

test('while the store is unreachable calls are answered with 503', async () => {
  const logged: object[] = []
  const nothing = () => {}
  const log = { error: nothing, warn: (facts: object) => void logged.push(facts), info: nothing, debug: nothing }
  const on = openServer({ log })
  const admin = await on.as()
  await on.store.close()
  expect(await failure(await on.call('GET', '/rc/v1/users', { headers: admin }))).toBe('503 store_unavailable')
  // There is no cause, so none is logged.
  expect(logged).toContainEqual({ code: 'store_unavailable' })
  expect((await on.call('GET', '/readyz')).status).toBe(503)
  expect((await on.call('GET', '/healthz')).status).toBe(200)
})

test('pages of a configured origin may read answers with credentials, others may not', async () => {
  const on = openServer({ origins: ['https://app.test'] })
  const ask = (origin: string) => on.call('GET', '/rc/v1/users', { headers: { origin, [API_TOKEN_HEADER]: 'x' } })
  const own = await ask('https://app.test')
  expect(own.headers.get('access-control-allow-origin')).toBe('https://app.test')
  expect(own.headers.get('access-control-allow-credentials')).toBe('true')
  expect((await ask('https://foreign.test')).headers.get('access-control-allow-origin')).toBeNull()
  const preflight = await on.call('OPTIONS', '/app/v1/City', {
    headers: { origin: 'https://app.test', 'access-control-request-method': 'POST' },
  })
  expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Sync-CLIENT-ID')
})
