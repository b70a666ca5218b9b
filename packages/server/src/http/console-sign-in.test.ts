import { SyncError } from '@godwit/protocol'
import type { ConsoleSignIn } from '@godwit/source'
import { expect, test } from '@jest/globals'
import { failure, json, openServer, type TestServer } from '../testing/open-server.js'
import { tokenProvider } from '../testing/token-provider.fixture.js'

const ISSUER = 'https://one.test'
const BASE = '/rc/v1/system/session'

interface Person {
  readonly login: string
  readonly subject: string
  readonly role: 'admin' | 'operator' | 'reader' | undefined
}

/** A server whose provider redeems the code `good` for this person. */
function open() {
  const person: { current: Person } = { current: { login: 'olga', subject: 'o1', role: 'operator' } }
  const redeemed: unknown[] = []
  let started = 0
  const console: ConsoleSignIn = {
    label: 'One',
    begin: async redirectUri => {
      started++
      return { url: `${ISSUER}/authorize?to=${redirectUri}`, state: `s${started}`, nonce: `n${started}`, verifier: 'v' }
    },
    async finish(callback) {
      redeemed.push(callback)
      if (callback.code !== 'good') throw new SyncError('backend_failed', 'The code was refused.')
      return { issuer: ISSUER, attributes: {}, expiresAt: Date.now() + 60_000, ...person.current }
    },
  }
  const on = openServer({ auth: [{ kind: 'passwords' }, tokenProvider({ console })] })
  return { on, person, redeemed }
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')

const go = (on: TestServer, path: string, cookie = '') =>
  on.ask(BASE + path, { redirect: 'manual', headers: { host: 'sync.test', ...(cookie && { cookie }) } })

const begin = (on: TestServer) => go(on, `/begin?issuer=${encodeURIComponent(ISSUER)}`)

async function signIn(on: TestServer): Promise<Response> {
  const cookie = cookiesOf(await begin(on))
  const { state } = JSON.parse(Buffer.from(cookie.split('=')[1] ?? '', 'base64url').toString())
  return go(on, `/callback?code=good&state=${state}`, cookie)
}

const ask = (on: TestServer, answer: Response, path: string) =>
  on.call('GET', path, { headers: { cookie: cookiesOf(answer) } })

test('the console offers the providers with a sign-in', async () => {
  const { on } = open()
  expect(await json(await go(on, '/providers'))).toEqual([{ issuer: ISSUER, label: 'One' }])
  const none = openServer()
  expect(await json(await go(none, '/providers'))).toEqual([])
})

test('a sign-in leads to the provider and back to the console, with a session of the role', async () => {
  const { on, redeemed } = open()
  const started = await begin(on)
  expect([started.status, started.headers.get('location')]).toEqual([
    302,
    `${ISSUER}/authorize?to=http://sync.test${BASE}/callback`,
  ])
  expect(started.headers.get('set-cookie')).toMatch(
    /^sync_sign_in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  )
  const done = await signIn(on)
  expect([done.status, done.headers.get('location')]).toEqual([302, '/console/'])
  expect(redeemed).toEqual([expect.objectContaining({ code: 'good', nonce: 'n2', verifier: 'v' })])
  expect(done.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^sync_console=.*HttpOnly; SameSite=Strict/),
    expect.stringMatching(/^sync_sign_in=; .*Max-Age=0/),
  ])
  expect(await json(await ask(on, done, BASE))).toMatchObject({ login: 'olga', role: 'operator' })
  const entries = await json<readonly object[]>(await on.call('GET', '/rc/v1/audit', { headers: await on.as() }))
  expect(JSON.stringify(entries)).toContain('"login":"olga"')
})

test('a callback without the cookie, with another state, of another issuer or without a code is refused', async () => {
  const { on, redeemed } = open()
  const cookie = cookiesOf(await begin(on))
  const refused = async (path: string, given: string, code: string) => {
    const answer = await go(on, path, given)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/console/?sign-in=${code}`])
    expect(answer.headers.get('set-cookie')).not.toContain('sync_console')
  }
  await refused('/callback?code=good&state=s1', '', 'token_invalid')
  await refused('/callback?code=good&state=s1', 'sync_sign_in=bm8', 'token_invalid')
  await refused('/callback?code=good&state=s2', cookie, 'token_invalid')
  await refused('/callback?code=good', cookie, 'token_invalid')
  await refused('/callback?code=good&state=s1&iss=https://evil.test', cookie, 'token_invalid')
  await refused('/callback?error=access_denied&state=s1', cookie, 'invalid_credentials')
  await refused('/begin?issuer=https://evil.test', '', 'value_not_allowed')
  expect(redeemed).toEqual([])
  await refused('/callback?code=bad&state=s1', cookie, 'backend_failed')
})

test('the role follows the claims, and without one the sessions end', async () => {
  const { on, person } = open()
  const first = await signIn(on)
  person.current = { ...person.current, role: 'reader' }
  const second = await signIn(on)
  expect(await failure(await ask(on, first, BASE))).toBe('401 token_invalid')
  expect(await json(await ask(on, second, BASE))).toMatchObject({ role: 'reader' })
  person.current = { ...person.current, role: undefined }
  expect((await signIn(on)).headers.get('location')).toBe('/console/?sign-in=not_an_api_user')
  expect(await failure(await ask(on, second, BASE))).toBe('401 token_invalid')
})

test('an operator takes over neither the admin with a password nor a device user', async () => {
  const { on, person } = open()
  person.current = { login: 'admin', subject: 'x', role: 'admin' }
  expect((await signIn(on)).headers.get('location')).toBe('/console/?sign-in=user_exists')
  await on.call('POST', '/rc/v1/users', { headers: await on.as(), body: { attributes: { login: 'ada' } } })
  person.current = { login: 'ada', subject: 'y', role: 'admin' }
  expect((await signIn(on)).headers.get('location')).toBe('/console/?sign-in=not_an_api_user')
})

test('a locked operator stays out', async () => {
  const { on } = open()
  await signIn(on)
  await on.call('PUT', '/rc/v1/users/olga', { headers: await on.as(), body: { locked: true } })
  expect((await signIn(on)).headers.get('location')).toBe('/console/?sign-in=user_locked')
})
