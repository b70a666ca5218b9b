import { type AdminToken, API_TOKEN_HEADER, type DeviceSession, SyncError } from '@godwit/protocol'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { SyncServerOptions } from '../../start/options.js'
import { ADMIN, EDGES, failure, json, openServer, type TestServer } from '../../testing/open-server.js'

const logIn = (on: TestServer, login: string, password: string): Promise<Response> =>
  on.call('POST', '/rc/v1/app/login', { body: { login, password } })

const logInAdmin = (on: TestServer, { login, password }: { login: string; password: string }): Promise<Response> =>
  on.call('POST', '/rc/v1/system/login', { body: { login, password }, headers: { accept: 'application/json' } })

const createUser = async (on: TestServer, login: string, role?: string): Promise<Response> =>
  on.call('POST', '/rc/v1/users', {
    headers: await on.as(),
    body: { attributes: { login, password: 'secret' }, ...(role && { role }) },
  })

const DAY = 24 * 3600 * 1000

describe.each(EDGES)('a device logs in, %s', (_, open) => {
  let on: TestServer
  beforeEach(async () => {
    on = await open()
    await createUser(on, 'ada')
  })
  afterEach(() => on.server.close())

  test('and gets a session with the id of its user', async () => {
    const session = await json<DeviceSession>(await logIn(on, 'ada', 'secret'))
    expect(session).toEqual({
      login: 'ada',
      user_id: expect.stringMatching(/^[\w-]{22}$/),
      session: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const days = (Date.parse(session.expires_at) - Date.now()) / DAY
    expect(days).toBeCloseTo(30, 1)
  })

  test('and gets a cookie that scripts cannot read', async () => {
    const cookie = (await logIn(on, 'ada', 'secret')).headers.get('set-cookie')
    expect(cookie).toMatch(/^sync_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
  })

  test('and gets 401 for a wrong password and for an unknown login', async () => {
    const wrong = await logIn(on, 'ada', 'Secret')
    const unknown = await logIn(on, 'nobody', 'secret')
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(await wrong.text()).toBe(await unknown.text())
    for (const login of ['__proto__', '*', '', 'constructor', 'a\nb']) {
      expect(await failure(await logIn(on, login, 'secret'))).toBe('401 invalid_credentials')
    }
  })

  test('but not as a user of the API', async () => {
    await createUser(on, 'backend', 'plugin')
    expect(await failure(await logIn(on, 'backend', 'secret'))).toBe('403 not_a_device_user')
    expect(await failure(await logIn(on, 'backend', 'wrong'))).toBe('401 invalid_credentials')
  })

  test('out, and the session ends', async () => {
    const { headers } = await on.device('ada')
    const answer = await on.call('POST', '/rc/v1/app/logout', { headers })
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    expect(answer.headers.get('set-cookie')).toContain('sync_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    expect(await failure(await on.call('GET', '/app/v1/City', { headers }))).toBe('401 session_missing')
  })

  test('and keeps its user id until the user is created again', async () => {
    const first = await json<DeviceSession>(await logIn(on, 'ada', 'secret'))
    const again = await json<DeviceSession>(await logIn(on, 'ada', 'secret'))
    expect(again.user_id).toBe(first.user_id)
    await on.call('DELETE', '/rc/v1/users/ada', { headers: await on.as() })
    await createUser(on, 'ada')
    const created = await json<DeviceSession>(await logIn(on, 'ada', 'secret'))
    expect(created.user_id).not.toBe(first.user_id)
  })
})

test('the session cookie is secure on https, also behind a trusted proxy', async () => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-proto': 'https' }
  const cookieOf = async (base: string, options: Partial<SyncServerOptions>) => {
    const on = openServer(options)
    await createUser(on, 'ada')
    const { url } = await on.server.listen({ port: 0 })
    const init = { method: 'POST', headers, body: JSON.stringify({ login: 'ada', password: 'secret' }) }
    const path = '/rc/v1/app/login'
    const answer = await (base === 'https'
      ? on.server.fetch(`https://sync.test${path}`, init)
      : fetch(url + path, init))
    await on.server.close()
    return answer.headers.get('set-cookie')
  }
  expect(await cookieOf('https', {})).toMatch(/; Secure$/)
  expect(await cookieOf('http', {})).not.toContain('Secure')
  expect(await cookieOf('http', { trustProxy: true })).toMatch(/; Secure$/)
})

test('sessions and tokens expire, and say so', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const on = openServer({ clock: () => now })
  const { headers } = await on.device('ada')
  const admin = await on.as()
  now += 30 * DAY - 1000
  expect((await on.call('GET', '/app/v1/City', { headers })).status).toBe(200)
  expect((await on.call('GET', '/rc/v1/users', { headers: admin })).status).toBe(200)
  now += 2000
  expect(await failure(await on.call('GET', '/app/v1/City', { headers }))).toBe('401 session_expired')
  expect(await failure(await on.call('GET', '/rc/v1/users', { headers: admin }))).toBe('401 token_expired')
})

test('lifetimes are configured', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const on = openServer({ clock: () => now, limits: { tokenLife: 60 } })
  const { expires_at } = await json<AdminToken>(await logInAdmin(on, ADMIN))
  expect(expires_at).toBe('2026-01-01T00:01:00.000Z')
  const admin = await on.as()
  now += 61_000
  expect(await failure(await on.call('GET', '/rc/v1/users', { headers: admin }))).toBe('401 token_expired')
})

test('use extends a token only where that is configured', async () => {
  for (const tokenSliding of [true, false]) {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const on = openServer({ clock: () => now, limits: { tokenLife: 600, tokenSliding } })
    const admin = await on.as()
    const use = () => on.call('GET', '/rc/v1/users', { headers: admin })
    now += 500_000
    expect((await use()).status).toBe(200)
    await new Promise(resolve => setTimeout(resolve, 10))
    now += 500_000
    expect((await use()).status).toBe(tokenSliding ? 200 : 401)
  }
})

test('a login of an admin returns a token with its expiry and role', async () => {
  verifies('rest.system.login')

  const on = openServer()
  const answer = await json<AdminToken>(await logInAdmin(on, ADMIN))
  expect(answer).toMatchObject({ login: 'admin', role: 'admin' })
  const headers = { [API_TOKEN_HEADER]: answer.token }
  expect((await on.call('GET', '/rc/v1/users', { headers })).status).toBe(200)
  expect(await failure(await logInAdmin(on, { ...ADMIN, password: 'wrong' }))).toBe('401 invalid_credentials')
})

test('a device user gets no token', async () => {
  const on = openServer()
  await createUser(on, 'ada')
  expect(await failure(await logInAdmin(on, { login: 'ada', password: 'secret' }))).toBe('403 not_an_api_user')
})

test('no secret is stored, only hashes', async () => {
  const on = openServer()
  const { session } = await on.device('ada')
  const admin = await on.as()
  const records = [
    ...(await on.store.registry.list('credential', { limit: 100 })),
    ...(await on.store.registry.list('user', { limit: 100 })),
  ]
  const text = JSON.stringify(records)
  for (const secret of [session.session, admin[API_TOKEN_HEADER] ?? '', 'secret', ADMIN.password]) {
    expect(text).not.toContain(`"${secret}"`)
  }
})

describe('where a backend decides on logins', () => {
  const open = (authenticate: NonNullable<SyncServerOptions['authenticate']>) =>
    openServer({ authenticate, limits: { loginWait: 0.05 } })

  test('an accepted login becomes a user, with the given attributes', async () => {
    const on = open(async (login, password) => login === 'ada' && password === 'x' && { attributes: { team: 'north' } })
    const { user_id } = await json<DeviceSession>(await logIn(on, 'ada', 'x'))
    const user = await on.call('GET', '/rc/v1/users/ada', { headers: await on.as() })
    expect(await user.json()).toMatchObject({ role: 'device', attributes: { team: 'north' } })
    expect((await json<DeviceSession>(await logIn(on, 'ada', 'x'))).user_id).toBe(user_id)
    expect(await failure(await logIn(on, 'ada', 'y'))).toBe('401 invalid_credentials')
    expect(await failure(await logIn(on, 'grace', 'x'))).toBe('401 invalid_credentials')
  })

  test('it is never called for an invalid login', async () => {
    const asked: string[] = []
    const on = open(async login => asked.push(login) > 0)
    for (const login of ['', '*', '__shared__', 'x'.repeat(1025), '\ud800']) {
      const answer = await logIn(on, login, 'x')
      expect([401, 422]).toContain(answer.status)
    }
    expect(asked).toEqual([])
  })

  test('an API user is none of its users', async () => {
    const on = open(async () => true)
    expect(await failure(await logIn(on, 'admin', 'x'))).toBe('403 not_a_device_user')
  })

  test('its failure is 502, its time-out 504', async () => {
    const failing = open(() => {
      throw new Error('secret address')
    })
    const answer = await logIn(failing, 'ada', 'x')
    const text = await answer.text()
    expect([answer.status, JSON.parse(text).code]).toEqual([502, 'backend_failed'])
    expect(text).not.toContain('secret')
    expect(
      await failure(
        await logIn(
          open(() => new Promise(() => {})),
          'ada',
          'x',
        ),
      ),
    ).toBe('504 backend_timeout')
  })

  test.each(['text', ['a'], { big: 1n }, 7])('invalid attributes count as its failure', async attributes => {
    const on = open(async () => ({ attributes: attributes as never }))
    expect(await failure(await logIn(on, 'ada', 'x'))).toBe('502 backend_failed')
    expect((await on.call('GET', '/rc/v1/users/ada', { headers: await on.as() })).status).toBe(404)
  })

  test('its error is logged without the password', async () => {
    const warn = jest.fn()
    const nothing = (): void => {}
    const log = { error: nothing, warn, info: nothing, debug: nothing }
    const authenticate = (login: string, password: string) => Promise.reject(new Error(`${login}:${password} broke me`))
    const on = openServer({ authenticate, log })
    expect(await failure(await logIn(on, 'ada', 'hunter2'))).toBe('502 backend_failed')
    expect(warn).toHaveBeenCalledWith(
      { code: 'backend_failed', cause: 'ada:[password] broke me' },
      expect.stringContaining('failed to decide'),
    )
  })

  test('an error with a code of Godwit passes unchanged', async () => {
    const on = open(async () => {
      throw new SyncError('invalid_credentials', 'The account is locked.')
    })
    expect(await json(await logIn(on, 'ada', 'x'))).toMatchObject({ status: 401, detail: 'The account is locked.' })
  })
})

describe('the first admin', () => {
  test('is created when there is none, and not changed later', async () => {
    const on = openServer()
    await on.as()
    const later = openServer({ store: on.store, admin: { login: 'admin', password: 'another' } })
    expect(await failure(await logInAdmin(later, { login: 'admin', password: 'another' }))).toBe(
      '401 invalid_credentials',
    )
    expect((await logInAdmin(later, ADMIN)).status).toBe(200)
  })

  test('is not created beside another admin', async () => {
    const on = openServer({ admin: { login: 'root', password: 'x' } })
    await on.call('GET', '/healthz')
    const later = openServer({ store: on.store })
    expect(await failure(await logInAdmin(later, ADMIN))).toBe('401 invalid_credentials')
  })

  test('cannot be a user of another role', async () => {
    const on = openServer({ admin: { login: 'root', password: 'x' } })
    const headers = await on.as('root', 'x')
    await on.call('POST', '/rc/v1/users', { headers, body: { attributes: { login: 'admin', password: 'x' } } })
    await on.store.registry.delete('user', 'root')
    const later = openServer({ store: on.store })
    await expect(later.server.listen({ port: 0 })).rejects.toMatchObject({ code: 'user_exists' })
  })
})
