import { createHash } from 'node:crypto'
import type { ConsoleSignIn, GuardedRequest } from '@godwit/source'
import { beforeEach, expect, test } from '@jest/globals'
import { CONFIGURATION, ISSUER, json, openIssuer } from './issuer.fixture.js'
import { oidc } from './oidc.js'
import type { ConsoleOptions } from './oidc-options.js'

const CALLBACK = 'https://sync.example.com/rc/v1/system/session/callback'
let issuer: Awaited<ReturnType<typeof openIssuer>>

beforeEach(async () => {
  issuer = await openIssuer()
})

function open(options: Partial<ConsoleOptions> = {}): ConsoleSignIn {
  const role: ConsoleOptions['role'] = ({ groups }) => (groups === 'ops' ? 'operator' : undefined)
  const provider = oidc({
    issuer: ISSUER,
    audience: 'godwit',
    login: 'email',
    console: { clientId: 'console', role, ...options },
  })
  const { console } = provider.open(issuer.tools)
  if (console === undefined) throw new Error('expected a sign-in of the console, got none')
  return console
}

const formOf = (request: GuardedRequest | undefined): object =>
  Object.fromEntries(new URLSearchParams(String(request?.body)))

const claimsOf = (more: object) => ({ aud: 'console', email: 'olga@x.test', groups: 'ops', ...more })

async function finish(flow: ConsoleSignIn, more: object = {}) {
  const { nonce, verifier } = await flow.begin(CALLBACK)
  const token = await issuer.token(claimsOf({ nonce, ...more }))
  issuer.reply('/token', () => json({ id_token: token, access_token: 'x' }))
  return flow.finish({ code: 'a code', redirectUri: CALLBACK, nonce, verifier })
}

test('a sign-in sends the browser to the provider, with a challenge', async () => {
  const { url, state, nonce, verifier } = await open().begin(CALLBACK)
  const { origin, pathname, searchParams } = new URL(url)
  expect(origin + pathname).toBe(`${ISSUER}/authorize`)
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: 'console',
    redirect_uri: CALLBACK,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  expect(verifier).toMatch(/^[\w-]{43}$/)
})

test('the code is redeemed for a user with the role that the claims give', async () => {
  const flow = open()
  expect(await finish(flow)).toMatchObject({ login: 'olga@x.test', subject: 'u1', role: 'operator' })
  expect(await finish(flow, { groups: 'others' })).toMatchObject({ role: undefined })
  const [{ request } = {}] = issuer.requestsOf('/token')
  expect(formOf(request)).toMatchObject({ grant_type: 'authorization_code', code: 'a code', client_id: 'console' })
  expect(request?.headers).not.toHaveProperty('authorization')
})

test('the secret is sent as the provider wants it', async () => {
  const flow = open({ clientSecret: 'a:secret' })
  await finish(flow)
  issuer.reply('/.well-known/openid-configuration', () =>
    json({ ...CONFIGURATION, token_endpoint_auth_methods_supported: ['client_secret_post'] }),
  )
  await finish(open({ clientSecret: 'a:secret' }))
  const [basic, post] = issuer.requestsOf('/token').map(({ request }) => request)
  expect(basic?.headers).toMatchObject({ authorization: `Basic ${btoa('console:a%3Asecret')}` })
  expect(formOf(basic)).not.toHaveProperty('client_secret')
  expect(formOf(post)).toMatchObject({ client_id: 'console', client_secret: 'a:secret' })
})

test.each<[string, object]>([
  ['of another sign-in', { nonce: 'another' }],
  ['for devices', { aud: 'godwit' }],
  ['of another issuer', { iss: 'https://evil.test' }],
])('an ID token %s is refused', async (_, claims) => {
  await expect(finish(open(), claims)).rejects.toMatchObject({ code: 'token_invalid' })
})

test('a refused code, an answer without an ID token and a wrong role are errors', async () => {
  const flow = open()
  const { nonce, verifier } = await flow.begin(CALLBACK)
  const redeem = () => flow.finish({ code: 'x', redirectUri: CALLBACK, nonce, verifier })
  issuer.reply('/token', () => json({ error: 'invalid_grant' }, 400))
  await expect(redeem()).rejects.toMatchObject({ code: 'backend_failed' })
  issuer.reply('/token', () => json({ access_token: 'x' }))
  await expect(redeem()).rejects.toMatchObject({ code: 'token_invalid' })
  await expect(finish(open({ role: () => 'root' as never }))).rejects.toMatchObject({ code: 'internal' })
})
