import { createHash } from 'node:crypto'
import type { DeviceSession } from '@godwit/protocol'
import { createSyncServer } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type DemoProvider, openDemoProvider } from './demo-provider.js'

const APP = 'http://127.0.0.1:8675/'
const VERIFIER = 'a verifier of at least forty-three characters'

let provider: DemoProvider
beforeAll(async () => {
  provider = await openDemoProvider({ port: 0, host: '127.0.0.1', clock: Date.now })
})
afterAll(() => provider.close())

const challenge = createHash('sha256').update(VERIFIER).digest('base64url')
const request = { client_id: 'field-visits', redirect_uri: APP, response_type: 'code', state: 's"<' }

const authorize = (more: object = {}): Promise<Response> => {
  const parameters = { ...request, code_challenge: challenge, code_challenge_method: 'S256', ...more }
  return fetch(`${provider.issuer}/authorize?${new URLSearchParams(parameters)}`, { redirect: 'manual' })
}

async function codeOf(person = 'maria'): Promise<string> {
  const location = new URL((await authorize({ person })).headers.get('location') ?? '')
  expect(location.searchParams.get('state')).toBe('s"<')
  return location.searchParams.get('code') ?? ''
}

const redeem = (form: object): Promise<Response> => {
  const all = { client_id: 'field-visits', redirect_uri: APP, code_verifier: VERIFIER, ...form }
  return fetch(`${provider.issuer}/token`, { method: 'POST', body: new URLSearchParams(all) })
}
const byCode = (code: string, more: object = {}) => redeem({ grant_type: 'authorization_code', code, ...more })

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

test('a visitor chooses an account, and the sync server accepts the token of it', async () => {
  const page = await (await authorize()).text()
  expect(page).toMatch(/person=maria">Maria<\/a>.*person=omar">Omar<\/a>/)
  expect(page).not.toContain('Olga')
  const tokens = (await (await byCode(await codeOf())).json()) as Tokens
  const server = createSyncServer({
    store: openMemoryStore(),
    sources: [],
    admin: { login: 'admin', password: 'a long one of words' },
    auth: provider.auth,
    allowPrivateBackends: true,
    limits: { passwordCost: 16 },
  })
  const logIn = async (token: string) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ token })
    const answer = await server.fetch('http://sync.test/rc/v1/app/login', { method: 'POST', headers, body })
    return (await answer.json()) as DeviceSession
  }
  expect(await logIn(tokens.access_token)).toMatchObject({ login: 'maria@demo.example' })
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const renewed = (await (await redeem(form)).json()) as Tokens
  expect(await logIn(renewed.access_token)).toMatchObject({ login: 'maria@demo.example' })
  expect((await redeem(form)).status).toBe(400)
  await server.close()
})

test('a code is redeemed once, by the app and with the verifier that began', async () => {
  const code = await codeOf()
  expect((await byCode(code)).status).toBe(200)
  expect((await byCode(code)).status).toBe(400)
  for (const change of [{ code_verifier: 'another' }, { client_id: 'console' }, { redirect_uri: `${APP}other` }])
    expect((await byCode(await codeOf(), change)).status).toBe(400)
  expect((await redeem({ grant_type: 'password' })).status).toBe(400)
})

test.each([
  ['another app', { client_id: 'other' }],
  ['an address of another machine', { redirect_uri: 'https://evil.test/' }],
  ['no challenge', { code_challenge: '' }],
  ['a plain challenge', { code_challenge_method: 'plain' }],
  ['an implicit flow', { response_type: 'token' }],
])('a request with %s is refused on a page, and leads nowhere', async (_, change) => {
  const answer = await authorize({ person: 'maria', ...change })
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  expect(await answer.text()).toContain('This sign-in cannot go on')
})

test('what a request says is no markup of the page', async () => {
  const page = await (await authorize({ nonce: '"><script>' })).text()
  expect(page).not.toContain('<script>')
  expect((await fetch(`${provider.issuer}/<b>`)).status).toBe(404)
})
