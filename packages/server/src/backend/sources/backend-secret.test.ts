import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AuditEntry, BackendSecret, Page } from '@godwit/protocol'
import { defineSource, signCall } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { afterEach, expect, test } from '@jest/globals'
import { failure, json, openServer, type TestServer } from '../../testing/open-server.js'

const PATH = '/rc/v1/system/appserver'
const Note = defineSource({ name: 'Note', pollInterval: 0 })
const options = { sources: [Note], allowPrivateBackends: true }

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const secretOf = async (on: TestServer) =>
  (await json<BackendSecret>(await on.call('GET', `${PATH}/secret`, { headers: await on.as() }))).secret

const setAddress = async (on: TestServer, adapter_url: string | null) =>
  (await on.call('POST', PATH, { headers: await on.as(), body: { adapter_url } })).status

/** A backend with a note, which answers only what is signed with the secret. */
async function backend(secret: () => string) {
  const calls: string[] = []
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    calls.push(request.url ?? '')
    const signature = String(request.headers['x-sync-signature'])
    const time = Number(/^t=(\d+),/.exec(signature)?.[1])
    if (signature !== (await signCall({ secret: secret(), time, body }))) return void response.writeHead(500).end()
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(request.url?.endsWith('/query') ? '{"1": {"text": "one"}}' : '{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const pull = async (on: TestServer, headers: Record<string, string>) =>
  json<Page>(await on.call('GET', '/app/v1/Note', { headers }))

test('a server without a configured secret makes one, and serves sources by the backend', async () => {
  const on = openServer(options)
  const secret = (await secretOf(on)) ?? ''
  expect(secret.length).toBeGreaterThanOrEqual(22)
  const { headers } = await on.device('ada')
  expect((await pull(on, headers)).insert).toBeUndefined()
  const { url, calls } = await backend(() => secret)
  expect(await setAddress(on, url)).toBe(200)
  expect((await pull(on, headers)).insert).toEqual({ 1: { text: 'one' } })
  const login = await on.call('POST', '/rc/v1/app/login', { body: { login: 'eve', password: 'of the backend' } })
  expect([login.status, calls]).toEqual([200, ['/sync/query', '/sync/authenticate']])
  expect(await setAddress(on, null)).toBe(200)
  expect((await pull(on, headers)).status).toBe('ok')
  expect(calls.length).toBe(2)
})

test('all processes of a store have one secret, which a restart keeps', async () => {
  const store = openMemoryStore()
  const [one, other] = [openServer({ store }), openServer({ store })]
  const [secret, same] = await Promise.all([secretOf(one), secretOf(other)])
  expect(same).toBe(secret)
  expect(await secretOf(openServer({ store }))).toBe(secret)
})

test('a configured secret is used, and shown to nobody', async () => {
  const configured = 'sixteen characters'
  const on = openServer({ ...options, backend: { secret: configured } })
  expect(await secretOf(on)).toBeNull()
  const { url } = await backend(() => configured)
  await setAddress(on, url)
  const login = await on.call('POST', '/rc/v1/app/login', { body: { login: 'eve', password: 'x' } })
  expect(login.status).toBe(200)
  const forgotten = openServer({ ...options, backend: { secret: undefined } as never })
  await expect(forgotten.as()).rejects.toThrow('backend.secret: expected a text')
})

test('a backend without a secret in the configuration has that of the server', async () => {
  const on = openServer({ ...options, backend: { prefix: '/rhoconnect' } })
  const secret = (await secretOf(on)) ?? ''
  const { url, calls } = await backend(() => secret)
  await setAddress(on, url)
  await on.call('POST', '/rc/v1/app/login', { body: { login: 'eve', password: 'x' } })
  expect(calls).toEqual(['/rhoconnect/authenticate'])
})

test('the secret is read by admins alone, and each read is in the audit', async () => {
  const on = openServer()
  const headers = await on.as()
  for (const role of ['reader', 'operator', 'plugin']) {
    const body = { attributes: { login: role, password: 'a long password' }, role }
    await on.call('POST', '/rc/v1/users', { headers, body })
    const answer = await on.call('GET', `${PATH}/secret`, { headers: await on.as(role, 'a long password') })
    expect(await failure(answer)).toBe('403 role_insufficient')
  }
  const secret = await secretOf(on)
  const entries = await json<readonly AuditEntry[]>(await on.call('GET', '/rc/v1/audit', { headers }))
  expect(entries.find(({ action }) => action === 'system.readBackendSecret')).toMatchObject({ login: 'admin' })
  expect(JSON.stringify(entries)).not.toContain(secret)
})

test('nothing is sent to the address of a backend that the configuration no longer names', async () => {
  const { url, calls } = await backend(() => 'sixteen characters')
  const configured = openServer({ ...options, backend: { secret: 'sixteen characters' } })
  await setAddress(configured, url)
  await configured.server.close()
  const on = openServer({ ...options, store: configured.store })
  const { headers } = await on.device('ada')
  expect((await pull(on, headers)).insert).toBeUndefined()
  expect(calls).toEqual([])
  await setAddress(on, url)
  await pull(on, headers)
  expect(calls).toEqual(['/sync/query'])
})
