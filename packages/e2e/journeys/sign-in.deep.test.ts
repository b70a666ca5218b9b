import { join } from 'node:path'
import { oidc, passwords } from '@godwit/auth'
import { defineModel, t } from '@godwit/model'
import { openSdk, type Sdk } from '@godwit/model/node'
import { createSyncServer, defineSource, type SyncServer } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { freePort } from '@godwit/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CookieJar, type IdentityProvider, openIdentityProvider } from '../harness/identity-provider.js'
import { temporaryFolder } from '../harness/stores.js'

const Note = defineModel('Note', { sync: 'incremental', attributes: { text: t.string(), org: t.string().optional() } })
const ADMIN = { login: 'admin', password: 'a long one of words' }

const seen: unknown[] = []
const source = defineSource({
  name: 'Note',
  pollInterval: 0,
  query: ({ user, claims }) => {
    seen.push([user, claims])
    return { 1: { text: 'from the backend', org: String(claims['org']) } }
  },
  create: () => undefined,
})

const folder = temporaryFolder()
const sdks: Sdk<never>[] = []
let provider: IdentityProvider
let server: SyncServer
let url: string

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  provider = await openIdentityProvider({ consoleCallback: `${url}/rc/v1/system/session/callback` })
  server = createSyncServer({
    store: openMemoryStore(),
    sources: [source],
    admin: ADMIN,
    allowPrivateBackends: true,
    limits: { passwordCost: 16 },
    auth: [
      passwords(),
      oidc({
        issuer: provider.issuer,
        audience: 'godwit',
        login: 'email',
        attributes: ['org'],
        console: {
          clientId: 'console',
          clientSecret: 'the secret of the console',
          role: ({ roles }) => (Array.isArray(roles) && roles.includes('sync-admins') ? 'admin' : undefined),
        },
      }),
    ],
  })
  await server.listen({ port })
})

afterAll(async () => {
  for (const sdk of sdks) await sdk.close()
  await server?.close()
  await provider?.close()
  folder.remove()
})

async function open(name: string, credentials: () => Promise<string>) {
  const sdk = await openSdk({
    directory: join(folder.path, name),
    server: url,
    models: { Note },
    credentials,
    eventStream: false,
  })
  sdk.pollInterval = 0
  sdks.push(sdk as never)
  return sdk
}

const asAdmin = async (method: string, path: string): Promise<Response> => {
  const body = JSON.stringify(ADMIN)
  const login = await fetch(`${url}/rc/v1/system/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return fetch(url + path, { method, headers: { 'X-Sync-API-TOKEN': await login.text() } })
}

test('a device signs in with a token of a provider, syncs with its claims, and renews a session that was ended', async () => {
  let calls = 0
  const sdk = await open('ada', () => {
    calls++
    return provider.accessToken('ada')
  })
  sdk.models.Note.create({ text: 'written before any login' })
  expect(sdk.status()).toMatchObject({ signIn: 'guest', waiting: 1 })
  await sdk.login()
  expect(await sdk.sync()).toMatchObject({ sent: 1 })
  expect(sdk.status()).toMatchObject({ signIn: 'signed_in', userName: 'ada@example.com', waiting: 0 })
  expect(seen).toContainEqual(['ada@example.com', { org: 'north' }])
  expect(sdk.models.Note.find().map(({ org }) => org)).toContain('north')
  expect((await asAdmin('DELETE', '/rc/v1/users/ada@example.com/sessions')).status).toBe(200)
  await sdk.sync()
  expect([sdk.status().signIn, calls]).toEqual(['signed_in', 2])
})

test('a device whose app has only the token of an ended session is signed out, and keeps what waits', async () => {
  const token = await provider.accessToken('grace')
  const sdk = await open('grace', async () => token)
  await sdk.login()
  await sdk.sync()
  await asAdmin('DELETE', '/rc/v1/users/grace@example.com/sessions')
  sdk.models.Note.create({ text: 'still here' })
  await expect(sdk.sync()).rejects.toMatchObject({ code: 'logged_out', details: { waiting: 1 } })
  expect(sdk.status()).toMatchObject({ signIn: 'signed_out', waiting: 1 })
  await sdk.login({ token: await provider.accessToken('grace') })
  expect(await sdk.sync()).toMatchObject({ sent: 1 })
})

test('an operator signs in to the console with the role of the claims, and others are refused', async () => {
  const begin = `${url}/rc/v1/system/session/begin?issuer=${encodeURIComponent(provider.issuer)}`
  provider.person = 'olga'
  const browser = new CookieJar()
  expect((await browser.follow(begin, `${url}/console`)).url).toBe(`${url}/console/`)
  const session = await browser.get(`${url}/rc/v1/system/session`)
  expect(await session.json()).toMatchObject({ login: 'olga@example.com', role: 'admin' })
  provider.person = 'linus'
  const refused = await new CookieJar().follow(begin, `${url}/console`)
  expect(refused.url).toBe(`${url}/console/?sign-in=not_an_api_user`)
})
