import { afterEach, describe, expect, test } from '@jest/globals'
import { ADMIN, EDGES, json, type TestServer } from '../../testing/open-server.js'

const SESSION = '/rc/v1/system/session'

describe.each(EDGES)('the session of a console, %s', (_, open) => {
  let on: TestServer
  afterEach(() => on.server.close())

  const cookieOf = (answer: Response): string => answer.headers.get('set-cookie') ?? ''
  const signIn = async (login = ADMIN.login, password = ADMIN.password) => {
    const answer = await on.call('POST', SESSION, { body: { login, password } })
    return { cookie: cookieOf(answer).split(';')[0] ?? '' }
  }

  test('is a cookie that no script reads and no other site sends', async () => {
    on = await open()
    const answer = await on.call('POST', SESSION, { body: ADMIN })
    expect(cookieOf(answer)).toMatch(/^sync_console=[\w-]{20,}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    const said = await json<Record<string, string>>(answer)
    expect(Object.keys(said).sort()).toEqual(['expires_at', 'login', 'role'])
    expect(said).toMatchObject({ login: 'admin', role: 'admin' })
  })

  test('opens the routes of its role, until it is ended', async () => {
    on = await open()
    const body = { attributes: { login: 'rita', password: 'secret' }, role: 'reader' }
    await on.call('POST', '/rc/v1/users', { body, headers: await on.as() })
    const headers = await signIn('rita', 'secret')
    expect(await json(await on.call('GET', SESSION, { headers }))).toMatchObject({ login: 'rita', role: 'reader' })
    expect((await on.call('GET', '/rc/v1/sources', { headers })).status).toBe(200)
    const refused = await on.call('PUT', '/rc/v1/sources/City', { headers, body: { data: { poll_interval: 5 } } })
    expect(await json(refused)).toMatchObject({ status: 403, code: 'role_insufficient' })
    const ended = await on.call('DELETE', SESSION, { headers })
    expect(cookieOf(ended)).toContain('sync_console=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
    expect(await json(await on.call('GET', SESSION, { headers }))).toMatchObject({ status: 401, code: 'token_invalid' })
  })

  test('is accepted from pages of the same origin only', async () => {
    on = await open({ origins: ['https://desk.test'] })
    const own = await signIn()
    const asked = (origin: string) => on.call('GET', SESSION, { headers: { ...own, origin } })
    expect(await json(await asked('https://foreign.test'))).toMatchObject({ status: 403, code: 'origin_not_allowed' })
    expect((await asked('https://desk.test')).status).toBe(200)
    const foreign = { headers: { origin: 'https://foreign.test' }, body: ADMIN }
    const refused = await on.call('POST', SESSION, foreign)
    expect([refused.status, cookieOf(refused)]).toEqual([403, ''])
  })

  test('is neither a token nor a device session, nor the reverse', async () => {
    on = await open()
    const secret = (await signIn()).cookie.slice('sync_console='.length)
    const status = async (headers: Record<string, string>) =>
      (await on.call('GET', '/rc/v1/sources', { headers })).status
    expect(await status({ 'x-sync-api-token': secret })).toBe(401)
    const token = (await on.as())['X-Sync-API-TOKEN'] ?? ''
    expect(await status({ cookie: `sync_console=${token}` })).toBe(401)
    const { session, headers } = await on.device('ada')
    expect(await status({ cookie: `sync_console=${session.session}` })).toBe(401)
    const { authorization: _, ...client } = headers
    const pull = await on.call('GET', '/app/v1/City', { headers: { ...client, authorization: `Bearer ${secret}` } })
    expect(pull.status).toBe(401)
  })

  test('is listed among the tokens, and can be revoked there', async () => {
    on = await open()
    const headers = await signIn()
    const admin = await on.as()
    const tokens = await json<{ id: string; console?: boolean }[]>(
      await on.call('GET', '/rc/v1/system/tokens', { headers: admin }),
    )
    const [own] = tokens.filter(({ console }) => console)
    await on.call('DELETE', `/rc/v1/system/tokens/${own?.id}`, { headers: admin })
    expect((await on.call('GET', SESSION, { headers })).status).toBe(401)
  })
})
