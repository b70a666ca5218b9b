import type { User } from '@godwit/protocol'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { EDGES, failure, json, openServer, type TestServer } from '../../testing/open-server.js'

describe.each(EDGES)('users, %s', (_, open) => {
  let on: TestServer
  let headers: Record<string, string>
  beforeEach(async () => {
    on = await open()
    headers = await on.as()
  })
  afterEach(() => on.server.close())

  const create = (attributes: unknown, role?: string) =>
    on.call('POST', '/rc/v1/users', { headers, body: { attributes, ...(role && { role }) } })
  const update = (login: string, body: unknown, as = headers) =>
    on.call('PUT', `/rc/v1/users/${login}`, { headers: as, body })
  const read = async (login: string) => json<User>(await on.call('GET', `/rc/v1/users/${login}`, { headers }))
  const logIn = (login: string, password: string) => on.call('POST', '/rc/v1/app/login', { body: { login, password } })

  test('are created from attributes', async () => {
    verifies('rest.users.create')

    const answer = await create({ login: 'ada', password: 'x', team: 'north', tags: [1, { a: null }] })
    expect([answer.status, await answer.json()]).toEqual([200, { login: 'ada' }])
    expect((await read('ada')).attributes).toEqual({ team: 'north', tags: [1, { a: null }] })
    expect((await logIn('ada', 'x')).status).toBe(200)
  })

  test('that are locked out lose their sessions and cannot log in until they are let in again', async () => {
    const ada = await on.device('ada')
    expect((await update('ada', { locked: true })).status).toBe(200)
    expect(await read('ada')).toMatchObject({ locked: true })
    expect(await failure(await on.call('GET', '/app/v1/Visit', { headers: ada.headers }))).toBe('401 session_missing')
    expect(await failure(await logIn('ada', 'secret'))).toBe('403 user_locked')
    expect(await failure(await logIn('ada', 'wrong'))).toBe('401 invalid_credentials')
    expect((await update('ada', { locked: false })).status).toBe(200)
    expect(await read('ada')).toMatchObject({ locked: false })
    expect((await logIn('ada', 'secret')).status).toBe(200)
  })

  test('are locked out by admins alone, and never the last of them', async () => {
    await create({ login: 'ada', password: 'x' })
    await create({ login: 'otto', password: 'a long one' }, 'operator')
    const operator = await on.as('otto', 'a long one')
    expect(await failure(await update('ada', { locked: true }, operator))).toBe('403 role_insufficient')
    expect(await failure(await update('admin', { locked: true }))).toBe('409 last_admin')
    await create({ login: 'eve', password: 'a long one' }, 'admin')
    expect((await update('eve', { locked: true })).status).toBe(200)
    expect(await failure(await update('admin', { locked: true }))).toBe('409 last_admin')
  })

  test('can be signed out of all their devices by an operator, and API users by an admin', async () => {
    const ada = await on.device('ada')
    await create({ login: 'otto', password: 'a long one' }, 'operator')
    const operator = await on.as('otto', 'a long one')
    const end = (login: string, as: Record<string, string>) =>
      on.call('DELETE', `/rc/v1/users/${login}/sessions`, { headers: as })
    expect((await end('ada', operator)).status).toBe(200)
    expect(await failure(await on.call('GET', '/app/v1/Visit', { headers: ada.headers }))).toBe('401 session_missing')
    expect((await logIn('ada', 'secret')).status).toBe(200)
    expect(await failure(await end('admin', operator))).toBe('403 role_insufficient')
    expect(await failure(await end('nobody', operator))).toBe('404 user_not_found')
    expect((await end('otto', headers)).status).toBe(200)
    expect(await failure(await end('ada', operator))).toBe('401 token_invalid')
  })

  test('come page by page, each whole', async () => {
    await create({ login: 'ada', password: 'x', team: 'north' })
    await create({ login: 'grace', password: 'x' })
    const page = async (query: string) => json<User[]>(await on.call('GET', `/rc/v1/system/users${query}`, { headers }))
    expect(await page('?limit=1')).toEqual([await read('ada')])
    expect(await page('?after=ada')).toEqual([await read('grace')])
    expect((await page('?role=admin')).map(({ login }) => login)).toEqual(['admin'])
  })

  test('come in a page whose devices are counted with one question to the store', async () => {
    for (const login of ['ada', 'grace', 'linus']) await create({ login, password: 'secret' })
    for (const login of ['ada', 'ada', 'linus']) await on.device(login)
    const asked: string[] = []
    const { registry } = on.store
    for (const name of ['count', 'countEach'] as const) {
      const original = registry[name] as (...given: unknown[]) => Promise<unknown>
      const counted = (...given: unknown[]) => {
        asked.push(name)
        return original(...given)
      }
      Object.assign(registry, { [name]: counted })
    }
    const page = await json<User[]>(await on.call('GET', '/rc/v1/system/users', { headers }))
    expect(page.map(({ login, clients }) => [login, clients])).toEqual([
      ['ada', 2],
      ['grace', 0],
      ['linus', 1],
    ])
    expect(asked).toEqual(['countEach'])
  })

  test('are created once', async () => {
    await create({ login: 'ada', password: 'x', team: 'north' })
    expect(await failure(await create({ login: 'ada', password: 'y', team: 'south' }))).toBe('409 user_exists')
    expect((await read('ada')).attributes).toEqual({ team: 'north' })
    expect((await logIn('ada', 'x')).status).toBe(200)
  })

  test.each(['', '*', '__shared__', '.', '..'])('cannot have the login %j', async login => {
    expect(await failure(await create({ login, password: 'x' }))).toBe('422 name_reserved')
  })

  test.each([undefined, null, 7, 'x'.repeat(1025), '\ud800', ['ada']])(
    'have a login that is text, not %j',
    async login => {
      expect(await failure(await create({ login, password: 'x' }))).toBe('422 body_invalid')
    },
  )

  test.each([undefined, null, 7, '', 'x'.repeat(1025)])('have a password, not %j', async password => {
    expect(await failure(await create({ login: 'ada', password }))).toBe('422 body_invalid')
    expect(await failure(await on.call('GET', '/rc/v1/users/ada', { headers }))).toBe('404 user_not_found')
  })

  test('are listed by login, those of devices or of a role', async () => {
    verifies('rest.users.list')

    for (const login of ['b', 'a', 'B', 'ä', '__proto__']) await create({ login, password: 'x' })
    await create({ login: 'backend', password: 'x' }, 'plugin')
    const list = async (query = '') => (await on.call('GET', `/rc/v1/users${query}`, { headers })).json()
    expect(await list()).toEqual(['B', '__proto__', 'a', 'b', 'ä'])
    expect(await list('?role=plugin')).toEqual(['backend'])
    expect(await list('?role=reader')).toEqual([])
  })

  test('are listed page by page, all of one role', async () => {
    for (const login of ['c', 'a', 'b', 'd']) await create({ login, password: 'x' })
    const list = async (query: string) => json(await on.call('GET', `/rc/v1/users${query}`, { headers }))
    expect(await list('?limit=2')).toEqual(['a', 'b'])
    expect(await list('?after=b&limit=2')).toEqual(['c', 'd'])
    expect(await list('?after=d&limit=2')).toEqual([])
    expect(await list('?role=admin&limit=1')).toEqual(['admin'])
    expect(await failure(await on.call('GET', '/rc/v1/users?limit=0', { headers }))).toBe('422 body_invalid')
  })

  test('are read without anything secret', async () => {
    verifies('rest.users.read')

    await create({ login: 'ada', password: 'a password', team: 'north' })
    await on.device('ada').catch(() => undefined)
    await logIn('ada', 'a password')
    const user = await read('ada')
    expect(user).toEqual({
      login: 'ada',
      role: 'device',
      locked: false,
      attributes: { team: 'north' },
      clients: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    await on.device('grace')
    expect((await read('grace')).clients).toBe(1)
  })

  test('merge attributes, of any kind', async () => {
    verifies('rest.users.update')

    await create({ login: 'ada', password: 'x', team: 'north', floor: 1 })
    const values = {
      text: 'ä',
      list: [1, null],
      nested: { a: { b: [] } },
      yes: true,
      zero: 0,
      floor: null,
      role: 'admin',
    }
    const answer = await update('ada', { attributes: values })
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    const { floor, ...kept } = values
    expect(await read('ada')).toMatchObject({ role: 'device', attributes: { team: 'north', ...kept } })
    expect((await read('ada')).attributes).not.toHaveProperty('floor')
  })

  test('accept hostile names of attributes as data', async () => {
    const text =
      '{"attributes":{"login":"ada","password":"x","__proto__":{"x":1},"constructor":"c","barred":true,"user_id":"u","a\\nb":1}}'
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: text }
    expect((await on.ask('/rc/v1/users', init)).status).toBe(200)
    const answer = await (await on.call('GET', '/rc/v1/users/ada', { headers })).text()
    expect(answer).toContain('"__proto__":{"x":1}')
    expect(answer).toContain('"barred":true')
    expect((await logIn('ada', 'x')).status).toBe(200)
  })

  test('get a new password, and all sessions end', async () => {
    const device = await on.device('ada')
    expect((await update('ada', { attributes: { password: 'new' } })).status).toBe(200)
    expect((await read('ada')).attributes).toEqual({})
    expect(await failure(await on.call('GET', '/app/v1/City', { headers: device.headers }))).toBe('401 session_missing')
    expect((await logIn('ada', 'secret')).status).toBe(401)
    expect((await logIn('ada', 'new')).status).toBe(200)
  })

  test("keep the token that set one's own password", async () => {
    const other = await on.as()
    expect((await update('admin', { attributes: { password: 'another long one' } })).status).toBe(200)
    expect((await on.call('GET', '/rc/v1/users', { headers })).status).toBe(200)
    expect(await failure(await on.call('GET', '/rc/v1/users', { headers: other }))).toBe('401 token_invalid')
  })

  test('keep their login', async () => {
    await create({ login: 'ada', password: 'x' })
    const answer = await update('ada', { attributes: { login: 'grace', team: 'x' } })
    expect(await failure(answer)).toBe('422 value_not_allowed')
    expect((await read('ada')).attributes).toEqual({})
  })

  test('are written with known members only', async () => {
    await create({ login: 'ada', password: 'x' })
    const answer = await update('ada', { attributes: { a: 1 }, team: 'north' })
    expect(await json(answer)).toMatchObject({
      status: 422,
      code: 'body_invalid',
      detail: 'The body is not valid: /team is not allowed here; allowed are attributes, role, locked.',
    })
    expect((await read('ada')).attributes).toEqual({})
  })

  test('get another role from an admin, and rights of the old role end', async () => {
    await create({ login: 'ops', password: 'x' }, 'operator')
    const operator = await on.as('ops', 'x')
    expect((await on.call('GET', '/rc/v1/users', { headers: operator })).status).toBe(200)
    expect((await update('ops', { role: 'reader' })).status).toBe(200)
    expect(await failure(await on.call('GET', '/rc/v1/users', { headers: operator }))).toBe('401 token_invalid')
    expect(await failure(await update('ops', { attributes: {} }, await on.as('ops', 'x')))).toBe(
      '403 role_insufficient',
    )
  })

  test('get custom attributes from an operator, but neither role nor password', async () => {
    await create({ login: 'ops', password: 'x' }, 'operator')
    await create({ login: 'ada', password: 'x' })
    const operator = await on.as('ops', 'x')
    expect((await update('ada', { attributes: { team: 'south' } }, operator)).status).toBe(200)
    for (const body of [{ role: 'admin' }, { attributes: { password: 'y' } }, { attributes: {}, role: 'device' }]) {
      expect(await failure(await update('ada', body, operator))).toBe('403 role_insufficient')
    }
    expect((await logIn('ada', 'x')).status).toBe(200)
  })

  test('that are unknown are 404', async () => {
    for (const login of ['nobody', '__proto__', '*', 'x'.repeat(3000)]) {
      expect(await failure(await on.call('GET', `/rc/v1/users/${login}`, { headers }))).toBe('404 user_not_found')
      expect(await failure(await update(login, { attributes: { a: 1 } }))).toBe('404 user_not_found')
      expect(await failure(await on.call('DELETE', `/rc/v1/users/${login}`, { headers }))).toBe('404 user_not_found')
      expect(await failure(await on.call('GET', `/rc/v1/users/${login}/clients`, { headers }))).toBe(
        '404 user_not_found',
      )
    }
  })
})

test('where a backend decides on logins a password may be left out', async () => {
  const on = openServer({ authenticate: async (_, password) => password === 'known to the backend' })
  const headers = await on.as()
  const body = { attributes: { login: 'ada' } }
  expect((await on.call('POST', '/rc/v1/users', { headers, body })).status).toBe(200)
  const plugin = { attributes: { login: 'backend' }, role: 'plugin' }
  expect(await failure(await on.call('POST', '/rc/v1/users', { headers, body: plugin }))).toBe('422 body_invalid')
})

test('concurrent creates of one login make one user', async () => {
  const on = openServer()
  const headers = await on.as()
  const body = { attributes: { login: 'ada', password: 'x' } }
  const answers = await Promise.all([1, 2, 3].map(() => on.call('POST', '/rc/v1/users', { headers, body })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})
