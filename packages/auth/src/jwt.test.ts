import { beforeEach, expect, test } from '@jest/globals'
import { SignJWT } from 'jose'
import { ISSUER, NOW, openIssuer } from './issuer.fixture.js'
import { type JwtOptions, jwt } from './jwt.js'

const SECRET = 'a secret of thirty-two bytes, or more'
let issuer: Awaited<ReturnType<typeof openIssuer>>

beforeEach(async () => {
  issuer = await openIssuer()
})

const open = (options: Partial<JwtOptions>) =>
  jwt({ issuer: ISSUER, audience: 'godwit', ...options }).open(issuer.tools)

const signed = (alg = 'HS256', secret = SECRET): Promise<string> =>
  new SignJWT({ iss: ISSUER, aud: 'godwit', sub: 'u1', exp: NOW / 1000 + 600 })
    .setProtectedHeader({ alg })
    .sign(new TextEncoder().encode(secret))

test('a token signed with the secret is verified without a request', async () => {
  const verifier = open({ secret: SECRET })
  expect(await verifier.verify(await signed())).toMatchObject({ subject: 'u1', login: 'u1' })
  expect(verifier.accepts(await signed())).toBe(true)
  expect(await verifier.checkKeys()).toBe(1)
  expect(issuer.requestsOf('/keys')).toEqual([])
})

test('a token signed with another secret, another algorithm or a key is refused', async () => {
  const verifier = open({ secret: SECRET })
  for (const token of [await signed('HS256', `${SECRET}.`), await signed('HS512'), await issuer.token()])
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'token_invalid' })
})

test('keys are fetched from their address, or given', async () => {
  const token = await issuer.token()
  expect(await open({ jwks: `${ISSUER}/keys` }).verify(token)).toMatchObject({ login: 'u1' })
  expect(issuer.requestsOf('/.well-known/openid-configuration')).toEqual([])
  const given = open({ jwks: { keys: issuer.keys.map(({ jwk }) => jwk) } })
  expect(await given.verify(token)).toMatchObject({ login: 'u1' })
  expect([await given.checkKeys(), issuer.requestsOf('/keys').length]).toEqual([1, 1])
})

test.each<[string, Partial<JwtOptions>]>([
  ['either jwks or secret, got none', {}],
  ['either jwks or secret, got both', { jwks: `${ISSUER}/keys`, secret: SECRET }],
  ['at least 32 bytes, got 5', { secret: 'short' }],
  ['at least 64 bytes, got 37', { secret: SECRET, algorithms: ['HS512'] }],
  ['some of HS256', { secret: SECRET, algorithms: ['RS256'] }],
  ['some of RS256', { jwks: `${ISSUER}/keys`, algorithms: ['HS256'] }],
  ['an https address', { jwks: 'http://login.example.com/keys' }],
])('options are refused: expected %s', (message, options) => {
  expect(() => open(options)).toThrow(
    expect.objectContaining({ code: 'value_not_allowed', message: expect.stringContaining(`expected ${message}`) }),
  )
})
