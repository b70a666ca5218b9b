import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkSignIn } from './sign-in.js'

let url = ''
let keys: unknown[] = [{ kty: 'RSA', kid: 'one' }]
const server = createServer(({ url: path }, response) => {
  response.end(JSON.stringify(path === '/keys' ? { keys } : { issuer: url, jwks_uri: `${url}/keys` }))
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const check = (more: object = {}) => checkSignIn({ SYNC_OIDC_ISSUER: url, SYNC_OIDC_AUDIENCE: 'godwit', ...more })

test('nothing is checked without an identity provider', async () => {
  expect(await checkSignIn({})).toEqual([])
})

test('the keys of the issuer are fetched and counted', async () => {
  expect(await check()).toEqual([{ state: 'ok', about: 'sign-in', says: `${url}: 1 key` }])
  keys = []
  expect(await check()).toMatchObject([{ state: 'problem', says: `${url} has no public keys` }])
})

test('an issuer that cannot be reached is a problem, with its reason', async () => {
  const wrong = await check({ SYNC_OIDC_ISSUER: `${url}/other` })
  expect(wrong).toMatchObject([{ state: 'problem', says: expect.stringContaining('expected the issuer') }])
  const guarded = await check({ SYNC_ALLOW_PRIVATE_BACKENDS: 'false' })
  expect(guarded).toMatchObject([
    { state: 'problem', says: expect.stringContaining('is loopback, private or reserved') },
  ])
})
