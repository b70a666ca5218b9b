import type { TokenInfo } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import { failure, json, openServer, type TestServer } from '../../testing/open-server.js'

const PATH = '/rc/v1/system/tokens'

const apiUser = async (on: TestServer, login: string, role: string): Promise<Record<string, string>> => {
  const body = { attributes: { login, password: 'secret' }, role }
  await on.call('POST', '/rc/v1/users', { headers: await on.as(), body })
  return on.as(login, 'secret')
}

const tokensOf = async (on: TestServer, headers: Record<string, string>, search = ''): Promise<readonly TokenInfo[]> =>
  json(await on.call('GET', PATH + search, { headers }))

test('a user lists own tokens, an admin all or those of a login', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const on = openServer({ clock: () => now })
  const admin = await on.as()
  const reader = await apiUser(on, 'rita', 'reader')
  const [own, ...others] = await tokensOf(on, reader)
  expect(others).toEqual([])
  expect(own).toEqual({
    id: expect.stringMatching(/^[\w-]{16}$/),
    login: 'rita',
    role: 'reader',
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-31T00:00:00.000Z',
  })
  await on.device('ada')
  expect(new Set((await tokensOf(on, admin)).map(({ login }) => login))).toEqual(new Set(['admin', 'rita']))
  expect(await tokensOf(on, admin, '?login=rita')).toEqual([own])
  now += 120_000
  await tokensOf(on, reader)
  expect((await tokensOf(on, reader))[0]?.last_used).toBe('2026-01-01T00:02:00.000Z')
  now += 31 * 24 * 3_600_000
  expect(await tokensOf(on, await on.as(), '?login=rita')).toEqual([])
})

test('a list holds no token and nothing that opens a route', async () => {
  const on = openServer()
  const headers = await on.as()
  const text = await (await on.call('GET', PATH, { headers })).text()
  expect(text).not.toContain(Object.values(headers)[0])
  for (const { id } of JSON.parse(text) as TokenInfo[]) {
    const name = Object.keys(headers)[0] ?? ''
    expect(await failure(await on.call('GET', PATH, { headers: { [name]: id } }))).toBe('401 token_invalid')
  }
})

test('a revoked token opens nothing from then on', async () => {
  const on = openServer()
  const admin = await on.as()
  const first = await apiUser(on, 'paul', 'plugin')
  const second = await on.as('paul', 'secret')
  const [oldest] = await tokensOf(on, second)
  expect(await failure(await on.call('DELETE', `${PATH}/${oldest?.id}`, { headers: second }))).toBe('200')
  const answers = await Promise.all([first, second].map(headers => on.call('GET', PATH, { headers })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  const [left] = await tokensOf(on, admin, '?login=paul')
  await on.call('DELETE', `${PATH}/${left?.id}`, { headers: admin })
  for (const headers of [first, second]) {
    expect(await failure(await on.call('GET', PATH, { headers }))).toBe('401 token_invalid')
  }
})

test('only an admin sees or revokes tokens of other users', async () => {
  const on = openServer()
  const admin = await on.as()
  const operator = await apiUser(on, 'olga', 'operator')
  const [foreign] = await tokensOf(on, admin, '?login=admin')
  expect(await failure(await on.call('GET', `${PATH}?login=admin`, { headers: operator }))).toBe(
    '403 role_insufficient',
  )
  for (const id of [foreign?.id, 'none']) {
    const answer = await on.call('DELETE', `${PATH}/${id}`, { headers: operator })
    expect(answer.headers.get('www-authenticate')).toBeNull()
    expect(await failure(answer)).toBe('404 token_not_found')
  }
  expect((await on.call('GET', PATH, { headers: admin })).status).toBe(200)
})
