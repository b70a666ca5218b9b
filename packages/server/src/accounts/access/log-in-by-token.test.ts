import { CLIENT_ID_HEADER, type DeviceSession, type User } from '@godwit/protocol'
import { defineSource, type SourceContext } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import type { SyncServerOptions } from '../../start/options.js'
import { failure, json, openServer, type TestServer } from '../../testing/open-server.js'
import { tokenOf, tokenProvider } from '../../testing/token-provider.fixture.js'

const PASSWORDS = { kind: 'passwords' } as const
const START = Date.parse('2026-01-01T00:00:00Z')

function open(options: Partial<SyncServerOptions> = {}) {
  const time = { now: START }
  const clock = () => time.now
  const on = openServer({ clock, auth: [PASSWORDS, tokenProvider({ clock })], ...options })
  return { on, time }
}

const exchange = (on: TestServer, user: Parameters<typeof tokenOf>[0] = {}) =>
  on.call('POST', '/rc/v1/app/login', { body: { token: tokenOf(user) } })
const bearer = ({ session }: DeviceSession) => ({ authorization: `Bearer ${session}` })
const createClient = (on: TestServer, session: DeviceSession) =>
  on.call('POST', '/rc/v1/clients', { headers: bearer(session) })
const logOut = (on: TestServer, session: DeviceSession) =>
  on.call('POST', '/rc/v1/app/logout', { headers: bearer(session) })
const readUser = async (on: TestServer, login: string) =>
  json<User>(await on.call('GET', `/rc/v1/users/${login}`, { headers: await on.as() }))
const change = async (on: TestServer, login: string, body: object) =>
  on.call('PUT', `/rc/v1/users/${login}`, { headers: await on.as(), body })
const remove = async (on: TestServer, login: string) =>
  on.call('DELETE', `/rc/v1/users/${login}`, { headers: await on.as() })

test('a token is exchanged for a session of a user who is made at the first login, and ends with the token', async () => {
  const { on, time } = open()
  const session = await json<DeviceSession>(await exchange(on, { attributes: { org: 'north', none: null } }))
  expect(session).toMatchObject({ login: 'ada', expires_at: '2026-01-01T00:10:00.000Z' })
  expect(await readUser(on, 'ada')).toMatchObject({ role: 'device', attributes: { org: 'north' } })
  expect((await createClient(on, session)).status).toBe(200)
  time.now += 600_000
  expect(await failure(await createClient(on, session))).toBe('401 session_expired')
  const renewed = await json<DeviceSession>(await exchange(on, { attributes: { org: null, team: 'b' } }))
  expect(renewed.user_id).toBe(session.user_id)
  expect((await readUser(on, 'ada')).attributes).toEqual({ team: 'b' })
})

test('a token that is refused makes no user, and one of an unknown issuer is refused', async () => {
  const { on } = open()
  expect(await failure(await exchange(on, { login: 'forged' }))).toBe('401 token_invalid')
  expect(await failure(await exchange(on, { iss: 'https://evil.test' }))).toBe('401 token_invalid')
  expect(await failure(await readUserAnswer(on, 'forged'))).toBe('404 user_not_found')
  for (const login of ['', '*', '__shared__', 'x'.repeat(2000)])
    expect(await failure(await exchange(on, { login, subject: `of ${login.slice(0, 3)}` }))).toBe('401 token_invalid')
})

const readUserAnswer = async (on: TestServer, login: string) =>
  on.call('GET', `/rc/v1/users/${login}`, { headers: await on.as() })

test('a body has either a token, or login and password', async () => {
  const { on } = open()
  for (const body of [
    {},
    { login: 'ada' },
    { password: 'x' },
    { token: 'x', login: 'ada' },
    { token: '' },
    { token: 7 },
  ])
    expect(await failure(await on.call('POST', '/rc/v1/app/login', { body }))).toBe('422 body_invalid')
})

test('a token cannot be replayed after a logout, and a new one can be used', async () => {
  const { on } = open()
  const session = await json<DeviceSession>(await exchange(on, { id: 1 }))
  const repeated = await json<DeviceSession>(await exchange(on, { id: 1 }))
  expect(repeated.session).not.toBe(session.session)
  expect((await logOut(on, session)).status).toBe(200)
  expect(await failure(await exchange(on, { id: 1 }))).toBe('401 token_invalid')
  expect((await exchange(on, { id: 2 })).status).toBe(200)
})

test('a token cannot bring back sessions that an operator has ended', async () => {
  const { on } = open()
  const session = await json<DeviceSession>(await exchange(on))
  const headers = await on.as()
  expect((await on.call('DELETE', '/rc/v1/users/ada/sessions', { headers })).status).toBe(200)
  expect(await failure(await createClient(on, session))).toBe('401 session_missing')
  expect(await failure(await exchange(on))).toBe('401 token_invalid')
})

test('a revoked session is refused by another process at once', async () => {
  const store = openMemoryStore()
  const first = openServer({ store, auth: [tokenProvider()] })
  const second = openServer({ store, auth: [tokenProvider()] })
  const session = await json<DeviceSession>(await exchange(first))
  const created = await createClient(second, session)
  expect(created.status).toBe(200)
  expect((await change(first, 'ada', { locked: true })).status).toBe(200)
  expect(await failure(await createClient(second, session))).toBe('401 session_missing')
})

test('a user who is locked or deleted stays out whatever the token says', async () => {
  const { on } = open()
  await exchange(on)
  await change(on, 'ada', { locked: true })
  expect(await failure(await exchange(on, { id: 2 }))).toBe('403 user_locked')
  await change(on, 'ada', { locked: false })
  expect((await exchange(on, { id: 3 })).status).toBe(200)
  await remove(on, 'ada')
  expect(await failure(await exchange(on, { id: 4 }))).toBe('403 user_locked')
  expect(await failure(await exchange(on, { id: 5, login: 'another name' }))).toBe('403 user_locked')
  const body = { attributes: { login: 'ada' } }
  expect((await on.call('POST', '/rc/v1/users', { headers: await on.as(), body })).status).toBe(200)
  expect((await exchange(on, { id: 6 })).status).toBe(200)
})

test('a person stays the same user when the login claim changes', async () => {
  const { on } = open()
  const before = await json<DeviceSession>(await exchange(on, { login: 'ada@old.test' }))
  const after = await json<DeviceSession>(await exchange(on, { login: 'ada@new.test' }))
  expect(after).toMatchObject({ login: 'ada@old.test', user_id: before.user_id })
})

test('of two persons with one login by two providers, the second is refused', async () => {
  const { on } = open({ auth: [PASSWORDS, tokenProvider(), tokenProvider({ issuer: 'https://two.test' })] })
  const first = await json<DeviceSession>(await exchange(on))
  expect(await failure(await exchange(on, { iss: 'https://two.test' }))).toBe('409 user_exists')
  expect(await failure(await exchange(on, { subject: 'u2' }))).toBe('409 user_exists')
  expect((await createClient(on, first)).status).toBe(200)
})

test('a token takes over no user with a password, and no user of the API', async () => {
  const { on } = open()
  await on.device('grace')
  expect(await failure(await exchange(on, { login: 'grace' }))).toBe('409 user_exists')
  expect(await failure(await exchange(on, { login: 'admin', subject: 'u2' }))).toBe('403 not_a_device_user')
})

test('a user without a password is linked at the first login', async () => {
  const { on } = open()
  const body = { attributes: { login: 'linus', team: 'south' } }
  await on.call('POST', '/rc/v1/users', { headers: await on.as(), body })
  expect((await exchange(on, { login: 'linus' })).status).toBe(200)
  expect((await readUser(on, 'linus')).attributes).toEqual({ team: 'south' })
  expect(await failure(await exchange(on, { login: 'linus', subject: 'u2' }))).toBe('409 user_exists')
})

test('concurrent first logins of one person make one user', async () => {
  const { on } = open()
  const answers = await Promise.all(Array.from({ length: 8 }, (_, id) => exchange(on, { id })))
  const sessions = await Promise.all(answers.map(answer => json<DeviceSession>(answer)))
  expect(new Set(sessions.map(({ user_id }) => user_id)).size).toBe(1)
  const clients = await Promise.all(sessions.map(session => createClient(on, session)))
  expect(clients.map(({ status }) => status)).toEqual(Array(8).fill(200))
})

test('passwords are refused where only tokens are accepted, but for users of the API', async () => {
  const { on } = open({ auth: [tokenProvider()] })
  const body = { login: 'ada', password: 'secret' }
  expect(await failure(await on.call('POST', '/rc/v1/app/login', { body }))).toBe('401 invalid_credentials')
  expect((await on.call('GET', '/rc/v1/system/state', { headers: await on.as() })).status).toBe(200)
  const { on: without } = open({ auth: [PASSWORDS] })
  expect(await failure(await exchange(without))).toBe('401 token_invalid')
})

test('a source sees the claims of the user that its call is for', async () => {
  const seen: unknown[] = []
  const query = ({ user, claims }: SourceContext) => {
    seen.push([user, claims])
    return {}
  }
  const sources = [
    defineSource({ name: 'Visit', pollInterval: 0, query }),
    defineSource({ name: 'City', partition: 'app', pollInterval: 0, query }),
  ]
  const { on, time } = open({ sources })
  const pull = async (source: string, user: Parameters<typeof tokenOf>[0]) => {
    const session = await json<DeviceSession>(await exchange(on, user))
    const { client } = await json<{ client: { client_id: string } }>(await createClient(on, session))
    await on.call('GET', `/app/v1/${source}`, { headers: { ...bearer(session), [CLIENT_ID_HEADER]: client.client_id } })
  }
  await pull('Visit', { attributes: { org: 'north' } })
  await pull('City', { id: 2 })
  time.now += 10_000
  await pull('Visit', { id: 3, attributes: { org: 'south' } })
  expect(seen).toEqual([
    ['ada', { org: 'north' }],
    ['ada', { org: 'north' }],
    ['ada', { org: 'south' }],
  ])
})

test.each([[[]], [['passwords']], [[{ kind: 'other' }]], [[tokenProvider(), tokenProvider()]]])(
  'auth is refused as %j',
  async auth => {
    const { on } = open({ auth: auth as never })
    await expect(on.server.begin()).rejects.toMatchObject({
      code: 'value_not_allowed',
      message: expect.stringMatching(/^auth: /),
    })
  },
)
