import type { TokenVerifier } from '@godwit/source'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { exportSPKI, SignJWT } from 'jose'
import { CONFIGURATION, ISSUER, json, NOW, newKey, openIssuer } from './issuer.fixture.js'
import { COOL_DOWN, MAX_AGE, MAX_STALE } from './key-set.js'
import { oidc } from './oidc.js'
import type { OidcOptions } from './oidc-options.js'

let issuer: Awaited<ReturnType<typeof openIssuer>>
let verifier: TokenVerifier

const open = (options: Partial<OidcOptions> = {}): TokenVerifier =>
  oidc({ issuer: ISSUER, audience: 'godwit', ...options }).open(issuer.tools)

beforeEach(async () => {
  issuer = await openIssuer()
  verifier = open()
})

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const failure = (code: string, message = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(message) })

describe('a token that fits', () => {
  test('gives its user, with the configured claims as attributes', async () => {
    verifier = open({ login: 'email', attributes: ['org', 'realm.roles', 'https://app.example/team', 'absent'] })
    const claims = { email: 'ada@x.test', org: 'north', realm: { roles: ['a'] }, 'https://app.example/team': 7 }
    expect(await verifier.verify(await issuer.token(claims))).toEqual({
      issuer: ISSUER,
      subject: 'u1',
      login: 'ada@x.test',
      attributes: { org: 'north', 'realm.roles': ['a'], 'https://app.example/team': 7, absent: null },
      expiresAt: NOW + 600_000,
    })
  })

  test('has the subject as login unless configured otherwise', async () => {
    expect((await verifier.verify(await issuer.token())).login).toBe('u1')
    const token = await issuer.token({ org: 'north' })
    expect((await open({ login: ({ org, sub }) => `${org}/${sub}` }).verify(token)).login).toBe('north/u1')
  })

  test('is one of the issuer', async () => {
    expect(verifier.accepts(await issuer.token())).toBe(true)
    for (const other of ['', 'x', 'a.b.c', 'x'.repeat(20_000), await issuer.token({ iss: 'https://evil.test' })])
      expect(verifier.accepts(other)).toBe(false)
  })

  test('may be for one of several audiences, or for none if that is configured', async () => {
    expect(await open({ audience: ['web', 'phone'] }).verify(await issuer.token({ aud: ['phone'] }))).toBeTruthy()
    const azp = ({ azp }: { readonly azp?: unknown }) => azp === 'https://app.test'
    const own = open({ audience: false, check: azp })
    expect(await own.verify(await issuer.token({ aud: undefined, azp: 'https://app.test' }))).toBeTruthy()
    await expect(own.verify(await issuer.token({ aud: undefined, azp: 'https://other.test' }))).rejects.toEqual(
      failure('token_invalid', 'the check of the server refused its claims'),
    )
  })

  test('is accepted within the tolerance of clocks', async () => {
    const token = await issuer.token({ nbf: Math.floor(NOW / 1000) + 20 })
    expect(await verifier.verify(token)).toBeTruthy()
    issuer.time.now += 600_000 + 20_000
    expect(await verifier.verify(token)).toBeTruthy()
  })
})

describe('an attack', () => {
  test.each<[string, object, string, string]>([
    ['of another audience', { aud: 'shop' }, 'token_invalid', 'claim aud'],
    ['without an audience', { aud: undefined }, 'token_invalid', 'claim aud'],
    ['of another issuer', { iss: 'https://evil.test' }, 'token_invalid', 'claim iss'],
    ['of the issuer with a slash', { iss: `${ISSUER}/` }, 'token_invalid', 'claim iss'],
    ['that expired', { exp: Math.floor(NOW / 1000) - 31 }, 'token_expired', 'Get a new one'],
    ['without an expiry', { exp: undefined }, 'token_invalid', 'claim exp'],
    ['that is not valid yet', { nbf: Math.floor(NOW / 1000) + 31 }, 'token_invalid', 'claim nbf'],
    ['without a subject', { sub: undefined }, 'token_invalid', 'claim sub'],
    ['with an empty subject', { sub: '' }, 'token_invalid', 'claim sub'],
    ['with a subject that is no text', { sub: 7 }, 'token_invalid', ''],
  ])('by a token %s is refused', async (_, claims, code, message) => {
    await expect(verifier.verify(await issuer.token(claims))).rejects.toEqual(failure(code, message))
  })

  test('by a token without a signature is refused', async () => {
    const [, payload] = (await issuer.token()).split('.')
    for (const alg of ['none', 'None', 'NONE']) {
      const token = `${base64url({ alg, kid: 'first' })}.${payload}.`
      await expect(verifier.verify(token)).rejects.toEqual(failure('token_invalid'))
    }
  })

  test('by a token that is signed with the public key as a secret is refused', async () => {
    const [key] = issuer.keys
    const secret = new TextEncoder().encode(key && (await exportSPKI(key.open)))
    const token = await new SignJWT({ iss: ISSUER, aud: 'godwit', sub: 'u1', exp: NOW / 1000 + 600 })
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .sign(secret)
    await expect(verifier.verify(token)).rejects.toEqual(failure('token_invalid', 'algorithm is not allowed'))
    issuer.reply('/keys', () => json({ keys: [{ kty: 'oct', kid: 'first', k: base64url('known to everyone') }] }))
    await expect(open().verify(token)).rejects.toEqual(failure('token_invalid'))
    expect(() => open({ algorithms: ['RS256', 'HS256'] })).toThrow(failure('value_not_allowed', 'oidc.algorithms'))
  })

  test('by a token with claims that were changed, or another key of the same id, is refused', async () => {
    const [header, , signature] = (await issuer.token()).split('.')
    const payload = base64url({ iss: ISSUER, aud: 'godwit', sub: 'admin', exp: NOW / 1000 + 600 })
    await expect(verifier.verify(`${header}.${payload}.${signature}`)).rejects.toEqual(
      failure('token_invalid', 'signature does not fit'),
    )
    const forged = await issuer.token({}, {}, await newKey('first'))
    await expect(verifier.verify(forged)).rejects.toEqual(failure('token_invalid', 'signature does not fit'))
  })

  test('by a key id that is a path or an address, or by a key in the header, fetches nothing else', async () => {
    const mine = await newKey('mine')
    for (const header of [
      { kid: '../../etc/passwd' },
      { kid: 'https://evil.test/keys' },
      { kid: "' OR 1=1 --" },
      { kid: 'mine', jku: 'https://evil.test/keys' },
      { kid: 'mine', x5u: 'https://evil.test/cert' },
      { kid: 'mine', jwk: mine.jwk },
    ]) {
      issuer.time.now += COOL_DOWN
      const token = await issuer.token({}, header, mine)
      await expect(verifier.verify(token)).rejects.toEqual(failure('token_invalid', 'no key of the issuer'))
    }
    const count = issuer.requestsOf('/keys').length + issuer.requestsOf('/.well-known/openid-configuration').length
    expect(count).toBe(1 + 6)
  })

  test('by 10,000 tokens with unknown key ids fetches the keys once, and keeps out no other user', async () => {
    expect(await verifier.verify(await issuer.token())).toBeTruthy()
    issuer.time.now += COOL_DOWN
    const [, payload, signature] = (await issuer.token()).split('.')
    const results = await Promise.allSettled(
      Array.from({ length: 10_000 }, (_, index) =>
        verifier.verify(`${base64url({ alg: 'RS256', kid: `k${index}` })}.${payload}.${signature}`),
      ),
    )
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(issuer.requestsOf('/keys')).toHaveLength(2)
    const later = verifier.verify(await issuer.token({}, { kid: 'one more' }))
    await expect(later).rejects.toMatchObject({ code: 'too_many_attempts', details: { retryAfter: 30 } })
    expect(await verifier.verify(await issuer.token())).toBeTruthy()
    expect(issuer.requestsOf('/keys')).toHaveLength(2)
  })

  test('by a key set of 10 MB, a redirect, a page or an error is refused, and the reason is logged', async () => {
    const answers = [
      { status: 200, body: JSON.stringify({ keys: [], padding: 'x'.repeat(10_000_000) }) },
      { status: 302, body: '' },
      { status: 200, body: '<html>' },
      { status: 500, body: '{}' },
      json([]),
      json({ keys: 'none' }),
      json({ keys: Array.from({ length: 101 }, () => ({})) }),
    ]
    for (const answer of answers) {
      issuer.reply('/keys', () => answer)
      await expect(open().verify(await issuer.token())).rejects.toEqual(failure('backend_failed'))
    }
    expect(issuer.warnings).toHaveLength(answers.length)
    expect(JSON.stringify(issuer.warnings)).toContain('expected the status 200, got 302')
  })

  test('by a configuration of another issuer, or with keys at an address without encryption, is refused', async () => {
    for (const change of [
      { issuer: 'https://evil.test' },
      { jwks_uri: 'http://login.example.com/keys' },
      { jwks_uri: 7 },
    ]) {
      issuer.reply('/.well-known/openid-configuration', () => json({ ...CONFIGURATION, ...change }))
      await expect(open().verify(await issuer.token())).rejects.toEqual(failure('backend_failed'))
    }
    expect(issuer.requestsOf('/keys')).toEqual([])
  })

  test('by an unverified email is refused', async () => {
    verifier = open({ login: 'email' })
    const token = await issuer.token({ email: 'ada@x.test', email_verified: false })
    await expect(verifier.verify(token)).rejects.toEqual(failure('token_invalid', 'expected a verified email'))
    for (const email of [undefined, '', 7, null])
      await expect(verifier.verify(await issuer.token({ email }))).rejects.toEqual(
        failure('token_invalid', 'expected a login in the claim email'),
      )
  })
})

describe('keys', () => {
  test('are fetched once for many tokens, and in the background when they are old', async () => {
    const token = await issuer.token({ exp: NOW / 1000 + 100_000 })
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(token)))
    expect(issuer.requestsOf('/keys')).toHaveLength(1)
    issuer.time.now += MAX_AGE + 1
    expect(await verifier.verify(token)).toBeTruthy()
    expect(issuer.requestsOf('/keys')).toHaveLength(2)
  })

  test('that are new are found at the first token, and withdrawn ones are refused after the next fetch', async () => {
    const token = await issuer.token({ exp: NOW / 1000 + 100_000 })
    await verifier.verify(token)
    issuer.keys.splice(0, 1, await newKey('second'))
    issuer.time.now += COOL_DOWN
    expect(await verifier.verify(await issuer.token())).toBeTruthy()
    issuer.time.now += COOL_DOWN
    await expect(verifier.verify(token)).rejects.toEqual(failure('token_invalid', 'no key of the issuer'))
  })

  test('are used for an hour while the issuer is away, and it gets a request every 30 seconds at most', async () => {
    const token = await issuer.token({ exp: NOW / 1000 + 100_000 })
    await verifier.verify(token)
    issuer.reply('/keys', () => json({}, 503))
    issuer.time.now += MAX_STALE
    for (let count = 0; count < 5; count++) expect(await verifier.verify(token)).toBeTruthy()
    expect(issuer.requestsOf('/keys')).toHaveLength(2)
    issuer.time.now += 1
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'backend_failed', retryable: true })
    expect(issuer.requestsOf('/keys')).toHaveLength(2)
  })

  test('that come slowly delay no token whose key is known', async () => {
    await verifier.verify(await issuer.token())
    issuer.time.now += COOL_DOWN
    let answer = (): void => {}
    issuer.reply('/keys', () => new Promise(resolve => (answer = () => resolve(json({ keys: [] })))))
    const waiting = verifier.verify(await issuer.token({}, { kid: 'unknown' }))
    expect(await verifier.verify(await issuer.token())).toBeTruthy()
    answer()
    await expect(waiting).rejects.toEqual(failure('token_invalid'))
    expect(issuer.requestsOf('/keys')[0]?.request.signal).toBeInstanceOf(AbortSignal)
  })

  test('are counted for a check', async () => {
    expect(await verifier.checkKeys()).toBe(1)
  })
})

test.each<[string, Partial<OidcOptions>]>([
  ['oidc.issuer', { issuer: 'login.example.com' }],
  ['oidc.issuer', { issuer: 'http://login.example.com' }],
  ['oidc.issuer', { issuer: '' }],
  ['oidc.audience', { audience: '' }],
  ['oidc.audience', { audience: [] }],
  ['oidc.algorithms', { algorithms: ['none'] }],
  ['oidc.clockTolerance', { clockTolerance: 3600 }],
  ['oidc.attributes', { attributes: ['password'] }],
  ['oidc.login', { login: 7 as never }],
])('%s is refused as %j', (name, options) => {
  expect(() => open(options)).toThrow(failure('value_not_allowed', name))
})

test('an issuer without encryption is accepted on this machine', () => {
  for (const local of ['http://localhost:8080/realms/x', 'http://127.0.0.1:4000', 'http://[::1]:4000'])
    expect(oidc({ issuer: local, audience: 'godwit' }).issuer).toBe(local)
})
