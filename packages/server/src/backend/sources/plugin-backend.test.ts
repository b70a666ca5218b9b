import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Attributes, CLIENT_ID_HEADER, type Page, type PushOutcomes } from '@godwit/protocol'
import { defineSource, signCall } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { SyncServerOptions } from '../../start/options.js'
import { failure, json, openServer } from '../../testing/open-server.js'
import { tokenOf, tokenProvider } from '../../testing/token-provider.fixture.js'

const SECRET = 'a secret of the backend'
const Note = defineSource<Attributes>({ name: 'Note', pollInterval: 0, timeout: 2 })

interface BackendRequest {
  readonly url: string
  readonly body: Record<string, unknown>
  readonly text: string
  readonly headers: http.IncomingHttpHeaders
}
type Reply =
  | { status?: number; type?: string; body?: string | Buffer; headers?: Record<string, string> }
  | 'cut'
  | 'silent'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A backend that answers as the test says, and records its requests. */
async function backend(answer: (seen: BackendRequest) => Reply) {
  const calls: BackendRequest[] = []
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const seen = { url: request.url ?? '', body: JSON.parse(text), text, headers: request.headers }
    calls.push(seen)
    const reply = answer(seen)
    if (reply === 'silent') return
    if (reply === 'cut') return void request.socket.destroy()
    const { status = 200, type = 'application/json', body = '', headers = {} } = reply
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function world(url: string, options: Partial<SyncServerOptions> = {}) {
  const on = openServer({ sources: [Note], backend: { secret: SECRET }, allowPrivateBackends: true, ...options })
  closers.push(() => on.server.close())
  const admin = await on.as()
  const set = await on.call('POST', '/rc/v1/system/appserver', { headers: admin, body: { adapter_url: url } })
  expect(set.status).toBe(200)
  const logIn = (login: string, password: string) => on.call('POST', '/rc/v1/app/login', { body: { login, password } })
  const device = async () => {
    const { session } = await json<{ session: string }>(await logIn('ada', 'ada knows'))
    const bearer = { authorization: `Bearer ${session}` }
    const { client } = await json<{ client: { client_id: string } }>(
      await on.call('POST', '/rc/v1/clients', { headers: bearer }),
    )
    return { ...bearer, [CLIENT_ID_HEADER]: client.client_id }
  }
  const pull = async (headers: Record<string, string>, source = 'Note') =>
    json<Page>(await on.call('GET', `/app/v1/${source}`, { headers }))
  const push = async (headers: Record<string, string>, mutations: readonly object[]) => {
    const { epoch } = await pull(headers)
    const body = { epoch, acknowledged: 0, mutations }
    return json<PushOutcomes>(await on.call('POST', '/app/v1/Note', { headers, body }))
  }
  return { ...on, admin, logIn, device, pull, push }
}

const mutation = (operation: string, object: string, more: object = {}, number = 1) => ({
  number,
  key: `key-${number}-0123456789`,
  operation,
  object,
  ...more,
})
const create = mutation('create', 'tmp', { attributes: { text: 'hello' } })

const objects = (all: object): Reply => ({ body: JSON.stringify(all) })
/** Accepts all logins, has two notes, and handles writes as the test says. */
const writes =
  (reply: Reply) =>
  (seen: BackendRequest): Reply =>
    seen.url.endsWith('/authenticate')
      ? {}
      : seen.url.endsWith('/query')
        ? objects({ 1: { text: 'one' }, 2: { text: 'two' } })
        : reply

describe('a plugin backend', () => {
  test('receives the attributes of a user who signed in with a token, in each call', async () => {
    const { url, calls } = await backend(writes({ body: '{"id":"3"}' }))
    const on = await world(url, { auth: [{ kind: 'passwords' }, tokenProvider()] })
    const body = { token: tokenOf({ login: 'grace', attributes: { org: 'north' } }) }
    const { session } = await json<{ session: string }>(await on.call('POST', '/rc/v1/app/login', { body }))
    const bearer = { authorization: `Bearer ${session}` }
    const { client } = await json<{ client: { client_id: string } }>(
      await on.call('POST', '/rc/v1/clients', { headers: bearer }),
    )
    await on.push({ ...bearer, [CLIENT_ID_HEADER]: client.client_id }, [create])
    const claims = { org: 'north' }
    expect(calls.map(({ body: { operation, claims } }) => [operation, claims])).toEqual([
      ['query', claims],
      ['create', claims],
    ])
    await on.push(await on.device(), [create])
    expect(calls.at(-1)?.body).not.toHaveProperty('claims')
  })

  test('has the address that the configuration sets, which operators can read and not change', async () => {
    const { url, calls } = await backend(writes({}))
    const on = openServer({ sources: [Note], backend: { secret: SECRET, url }, allowPrivateBackends: true })
    closers.push(() => on.server.close())
    const login = await on.call('POST', '/rc/v1/app/login', { body: { login: 'ada', password: 'ada knows' } })
    expect([login.status, calls.map(call => call.url)]).toEqual([200, ['/sync/authenticate']])
    const headers = await on.as()
    const read = await on.call('GET', '/rc/v1/system/appserver', { headers })
    expect(await read.json()).toEqual({ adapter_url: url })
    const body = { adapter_url: 'http://127.0.0.1:9' }
    const written = await on.call('POST', '/rc/v1/system/appserver', { headers, body })
    expect(await written.json()).toMatchObject({
      code: 'url_not_allowed',
      detail: expect.stringContaining('backend.url'),
    })
    const wrong = { ...{ sources: [Note] }, backend: { url: 'ftp://127.0.0.1' } }
    const refused = openServer(wrong)
    closers.push(() => refused.server.close())
    await expect(refused.as()).rejects.toThrow(
      'backend.url: expected an address http://… or https://…, got another text.',
    )
  })

  test('is called for every operation, with search parameters and parameters of a sync', async () => {
    const { url, calls } = await backend(seen =>
      seen.url.endsWith('/search')
        ? objects({ 9: { text: 'found', gone: null } })
        : writes({ body: '{"id":"3"}' })(seen),
    )
    const on = await world(`${url}/base`)
    const headers = await on.device()
    await on.push(headers, [
      create,
      mutation('update', '1', { attributes: { text: 'uno' }, was: { text: 'one' } }, 2),
      mutation('delete', '2', { was: { text: 'two' } }, 3),
    ])
    const asked = { sources: ['Note'], search: 'f', offset: 4, max_results: 2 }
    const found = await on.call('POST', '/rc/v1/app/search', { headers, body: asked })
    expect(await found.json()).toEqual({ results: { Note: { objects: { 9: { text: 'found' } } } } })
    expect(calls.at(-1)?.body).toEqual({
      operation: 'search',
      resource: 'Note',
      partition: 'ada',
      user: 'ada',
      search: 'f',
      offset: 4,
      max_results: 2,
    })
    await on.call('GET', '/app/v1/Note?year=2026', { headers })
    expect(calls.at(-1)?.body).toMatchObject({ operation: 'query', parameters: { year: '2026' } })
    expect(new Set(calls.map(call => call.url))).toEqual(
      new Set(['authenticate', 'query', 'create', 'update', 'delete', 'search'].map(name => `/base/sync/${name}`)),
    )
  })

  test('receives the operation and its parameters', async () => {
    const { url, calls } = await backend(writes({ body: '{"id":"3"}' }))
    const on = await world(`${url}/base/`)
    const headers = await on.device()
    expect((await on.pull(headers)).insert).toEqual({ 1: { text: 'one' }, 2: { text: 'two' } })
    const { outcomes } = await on.push(headers, [
      create,
      mutation('update', '1', { attributes: { text: 'uno' }, was: { text: 'one' } }, 2),
      mutation('delete', '2', { was: { text: 'two' } }, 3),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied'])
    expect(outcomes.find(({ number }) => number === 1)?.link).toBe('3')
    const of = (operation: string) => calls.find(call => call.url === `/base/sync/${operation}`)
    const place = { resource: 'Note', partition: 'ada', user: 'ada' }
    expect(of('authenticate')?.body).toEqual({ operation: 'authenticate', login: 'ada', password: 'ada knows' })
    expect(of('query')?.body).toEqual({ operation: 'query', ...place })
    const key = (number: number) => ({ idempotency_key: `key-${number}-0123456789` })
    expect(of('create')?.body).toEqual({ operation: 'create', ...place, ...key(1), attributes: { text: 'hello' } })
    expect(of('update')?.body).toEqual({
      operation: 'update',
      ...place,
      ...key(2),
      id: '1',
      attributes: { text: 'uno' },
    })
    expect(of('delete')?.body).toEqual({ operation: 'delete', ...place, ...key(3), id: '2' })
    expect(of('create')?.headers['idempotency-key']).toBe('key-1-0123456789')
    for (const { headers: sent, text } of calls) {
      const signature = String(sent['x-sync-signature'])
      const time = Number(/^t=(\d+),/.exec(signature)?.[1])
      expect(signature).toBe(await signCall({ secret: SECRET, time, body: text }))
      expect(await signCall({ secret: 'another secret of 16', time, body: text })).not.toBe(signature)
    }
  })

  test.each([
    ['"7"', 'application/json'],
    ['7', 'application/json'],
    ['7\n', 'text/plain'],
    ['7', 'Text/Plain; charset=UTF-8'],
  ])('may answer a create with the bare id %j', async (body, type) => {
    const { url } = await backend(writes({ body, type }))
    const on = await world(url)
    const { outcomes } = await on.push(await on.device(), [create])
    expect(outcomes).toMatchObject([{ status: 'applied', link: '7' }])
  })

  test.each([
    ['9007199254740993', '9007199254740993'],
    ['{"attributes":{"id":1},"id":9007199254740993}', '9007199254740993'],
    ['{"id":-12345678901234567890}', '-12345678901234567890'],
    ['{"id":7.0}', '7'],
    ['{"id":1e3}', '1000'],
  ])('may answer a create with any number, and %s links to %s', async (body, link) => {
    const { url } = await backend(writes({ body }))
    const on = await world(url)
    const { outcomes } = await on.push(await on.device(), [create])
    expect(outcomes).toMatchObject([{ status: 'applied', link }])
  })

  test('answers a query with lines, of any length', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) =>
      JSON.stringify({ [`id ${index}`]: { text: 'ä'.repeat(50) } }),
    )
    const body = `${lines.join('\n')}\n`
    const { url } = await backend(seen => (seen.url.endsWith('/query') ? { type: 'application/x-ndjson', body } : {}))
    const on = await world(url)
    const page = await on.pull(await on.device())
    expect(page.total_count).toBe(5000)
    expect(page.insert?.['id 0']).toEqual({ text: 'ä'.repeat(50) })
  })

  test('refuses a mutation by 4xx with a message', async () => {
    const { url } = await backend(writes({ status: 422, body: '{"message":"Not so."}' }))
    const on = await world(url)
    const { outcomes } = await on.push(await on.device(), [create])
    expect(outcomes).toMatchObject([{ status: 'refused', error: { message: 'Not so.' } }])
  })

  test('refuses a mutation in another encoding, too', async () => {
    const { url } = await backend(
      writes({ status: 422, body: Buffer.from('{"message":"Trop de caf\xe9."}', 'latin1') }),
    )
    const on = await world(url)
    const { outcomes } = await on.push(await on.device(), [create])
    expect(outcomes).toMatchObject([{ status: 'refused', error: { message: 'Trop de caf\ufffd.' } }])
  })

  const UNKNOWN: readonly (readonly [string, Reply])[] = [
    ['500', { status: 500, body: '{"message":"no"}' }],
    ['404 without a message', { status: 404, body: 'nothing here' }],
    ['a redirect', { status: 307, headers: { location: 'http://169.254.169.254/' } }],
    ['a broken connection', 'cut'],
    ['silence', 'silent'],
    ['no JSON', { body: '<html>' }],
    ['an id that is none', { body: '{"id":{}}' }],
    ['an id that is infinite', { body: '{"id":1e400}' }],
    ['an attribute that is infinite', { body: '{"id":"3","attributes":{"a":1e400}}' }],
    ['bytes that are not UTF-8', { body: Buffer.from('{"id":"caf\xe9"}', 'latin1') }],
    ['an id too long', { body: JSON.stringify({ id: 'x'.repeat(1025) }) }],
    ['depth', { body: `{"id":"3","attributes":{"a":${'['.repeat(200)}${']'.repeat(200)}}}` }],
  ]
  test.each(UNKNOWN)('leaves a write unknown after %s', async (_, reply) => {
    const { url, calls } = await backend(writes(reply))
    const on = await world(url)
    const { outcomes } = await on.push(await on.device(), [create])
    expect(outcomes).toMatchObject([{ status: 'in_doubt' }])
    expect(calls.filter(call => call.url.endsWith('/create'))).toHaveLength(1)
  })

  test.each([
    ['[]', 'application/json'],
    ['{"a":1}', 'application/json'],
    ['{"a":{}}\n{"b":', 'application/x-ndjson'],
    [Buffer.from('{"caf\xe9":{}}', 'latin1'), 'application/json'],
    [Buffer.from('{"a":{}}\n{"caf\xe9":{}}\n', 'latin1'), 'application/x-ndjson'],
    [JSON.stringify({ '': {} }), 'application/json'],
    ['{"kept":{"x":1e400}}', 'application/json'],
    ['{"a":{}}\n{"kept":{"x":-1e400}}\n', 'application/x-ndjson'],
  ])('whose query answers %s changes nothing', async (body, type) => {
    let good = true
    const { url } = await backend(seen =>
      seen.url.endsWith('/query') ? (good ? objects({ kept: { x: 1 } }) : { body, type }) : {},
    )
    const on = await world(url)
    const headers = await on.device()
    await on.pull(headers)
    good = false
    expect(await on.pull(headers)).toMatchObject({
      insert: { kept: { x: 1 } },
      source_error: { code: 'backend_failed' },
    })
  })

  test('decides device logins', async () => {
    let reply: Reply = { status: 401 }
    const { url } = await backend(() => reply)
    const on = await world(url)
    expect(await failure(await on.logIn('ada', 'x'))).toBe('401 invalid_credentials')
    reply = { status: 500 }
    expect(await failure(await on.logIn('ada', 'x'))).toBe('502 backend_failed')
    reply = { body: '{"attributes":{"team":"north"}}' }
    expect((await on.logIn('ada', 'x')).status).toBe(200)
    expect(await json(await on.call('GET', '/rc/v1/users/ada', { headers: on.admin }))).toMatchObject({
      attributes: { team: 'north' },
    })
    const own = await world(url, { authenticate: async login => login === 'grace' })
    expect(await failure(await own.logIn('ada', 'x'))).toBe('401 invalid_credentials')
    expect((await own.logIn('grace', 'x')).status).toBe(200)
  })

  test.each([['/rhoconnect'], ['/any/thing'], ['']])('is found under the prefix %j', async prefix => {
    const { url, calls } = await backend(writes({}))
    const on = await world(url, { backend: { secret: SECRET, prefix } })
    await on.pull(await on.device())
    expect(calls.map(call => call.url)).toEqual([`${prefix}/authenticate`, `${prefix}/query`])
  })

  test('whose name resolves to a refused address is no longer called', async () => {
    const { url, calls } = await backend(writes({}))
    const port = new URL(url).port
    let address = '93.184.216.34'
    const on = await world(`http://backend.example:${port}`, {
      allowPrivateBackends: false,
      resolveName: async () => [address],
    })
    address = '127.0.0.1'
    expect(await failure(await on.logIn('ada', 'x'))).toBe('502 backend_failed')
    expect(calls).toEqual([])
  })

  test('is called at exactly the address that was checked', async () => {
    const { url, calls } = await backend(writes({}))
    const looked: string[] = []
    const on = await world(`http://backend.example:${new URL(url).port}`, {
      resolveName: async name => {
        looked.push(name)
        return ['127.0.0.1']
      },
    })
    expect((await on.logIn('ada', 'x')).status).toBe(200)
    expect(looked).toEqual(['backend.example', 'backend.example'])
    expect(calls[0]?.headers.host).toMatch(/^backend\.example:/)
  })

  test('that is not set refuses writes', async () => {
    const on = openServer({ sources: [Note], backend: { secret: SECRET } })
    closers.push(() => on.server.close())
    const { headers } = await on.device('ada')
    const page = await json<Page>(await on.call('GET', '/app/v1/Note', { headers }))
    expect(page.source_error?.message).toContain('No backend address is set')
  })

  test.each([{ secret: 'short' }, { secret: SECRET, prefix: 'no slash' }])(
    '%j is refused at the start',
    async options => {
      const on = openServer({ backend: options })
      await expect(on.call('GET', '/healthz')).rejects.toMatchObject({ code: 'value_not_allowed' })
    },
  )

  test('creates sources at their first use where configured', async () => {
    const store = openMemoryStore()
    const { url } = await backend(writes({}))
    const on = await world(url, { dynamicSources: true, store })
    const headers = await on.device()
    expect((await on.pull(headers, 'Anything')).total_count).toBe(2)
    const body = { user_id: 'ada', objects: { a: { x: 1 } } }
    for (const [source, route, given] of [
      ['One', 'push_objects', body],
      ['Two', 'push_deletes', { user_id: 'ada', objects: ['a'] }],
      ['Three', 'fast_insert', body],
      ['Four', 'fast_update', { user_id: 'ada', delete_data: {}, data: {} }],
      ['Five', 'fast_delete', { user_id: 'ada', data: {} }],
    ] as const) {
      expect((await on.call('POST', `/app/v1/${source}/${route}`, { headers: on.admin, body: given })).status).toBe(200)
    }
    await on.server.close()
    const again = openServer({ sources: [Note], dynamicSources: true, store })
    closers.push(() => again.server.close())
    const names = await json(await again.call('GET', '/rc/v1/sources/type/user', { headers: await again.as() }))
    expect(names).toEqual(['Anything', 'Five', 'Four', 'Note', 'One', 'Three', 'Two'])
    const strict = openServer({ sources: [Note], store })
    closers.push(() => strict.server.close())
    const answer = await strict.call('POST', '/app/v1/One/push_objects', { headers: await strict.as(), body })
    const { code, detail } = await json<{ code: string; detail: string }>(answer)
    expect(code).toBe('source_not_found')
    expect(detail).toMatch(/^Source "One" does not exist\. A model has the name of its source:/)
  })

  test('as in the documentation keeps notes of a device', async () => {
    const page = readFileSync(join(process.cwd(), 'docs/plugin-backend.md'), 'utf8')
    const program = /```js\n(\/\/ backend\.mjs\n[\s\S]*?)```/.exec(page)?.[1] ?? ''
    const folder = mkdtempSync(join(tmpdir(), 'godwit-backend-'))
    const file = join(folder, 'backend.mjs')
    writeFileSync(file, program)
    const child = spawn(process.execPath, [file], { env: { PATH: process.env['PATH'], BACKEND_SECRET: SECRET } })
    closers.push(() => {
      child.kill()
      rmSync(folder, { recursive: true })
    })
    const url = await new Promise<string>(resolve => child.stdout.once('data', line => resolve(String(line).trim())))
    const on = await world(url)
    expect(await failure(await on.logIn('ada', 'wrong'))).toBe('401 invalid_credentials')
    const headers = await on.device()
    const made = await on.push(headers, [create, mutation('create', 'other', { attributes: {} }, 2)])
    expect(made.outcomes).toMatchObject([
      { number: 1, status: 'applied', link: '1' },
      { number: 2, status: 'refused', error: { message: 'A note needs a text.' } },
    ])
    expect((await on.pull(headers)).insert).toEqual({ 1: { text: 'hello' } })
    const unsigned = await fetch(`${url}/sync/query`, { method: 'POST', body: '{"operation":"query"}' })
    expect(unsigned.status).toBe(401)
  })
})
