import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { Attributes, AuditEntry } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { until } from '@godwit/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { json, openListening, type TestServer } from '../testing/open-server.js'

let on: TestServer & { url: string }
let headers: Record<string, string>
beforeEach(async () => {
  on = await openListening()
  headers = await on.as()
  const objects = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`id${index}`, { index }]))
  await on.call('POST', '/app/v1/City/push_objects', { headers, body: { user_id: '*', objects } })
})
afterEach(() => on.server.close())

/** Sends a request as bytes, and returns the bytes received until the server closes the connection. */
function raw(request: string, { end = false, cut = false } = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(on.url).port), '127.0.0.1', () => {
      if (end) socket.end(request)
      else socket.write(request)
      if (cut) setTimeout(() => socket.destroy(), 50)
    })
    const parts: Buffer[] = []
    socket.on('data', part => parts.push(part))
    socket.on('close', () => resolve(Buffer.concat(parts)))
    socket.on('error', reject)
  })
}

const lines = (extra: Record<string, string>) =>
  Object.entries(extra)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

async function bytesOf(path: string, extra: Record<string, string>): Promise<{ head: string; body: Buffer }> {
  const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: sync.test\r\nConnection: close\r\n${lines(extra)}\r\n`)
  const at = answer.indexOf('\r\n\r\n')
  return { head: answer.subarray(0, at).toString('latin1').toLowerCase(), body: answer.subarray(at + 4) }
}

test('a page is compressed only for clients that accept it', async () => {
  const device = (await on.device('ada')).headers
  const plain = await bytesOf('/app/v1/City?p_size=1000', device)
  expect(plain.head).not.toContain('content-encoding')
  expect(plain.head).toContain(`content-length: ${plain.body.length}`)
  for (const accepted of ['gzip', 'br, gzip;q=0.5', 'deflate, gzip']) {
    const zipped = await bytesOf('/app/v1/City?p_size=1000', { ...device, 'Accept-Encoding': accepted })
    expect(zipped.head).toContain('content-encoding: gzip')
    expect(zipped.head).toContain('vary: accept-encoding')
    expect(JSON.parse(gunzipSync(zipped.body).toString()).count).toBe(1000)
    expect(zipped.body.length).toBeLessThan(plain.body.length / 2)
  }
  for (const accepted of ['br', 'gzip;q=0', 'gzip; q=0.0', 'identity']) {
    const { head } = await bytesOf('/app/v1/City?p_size=1000', { ...device, 'Accept-Encoding': accepted })
    expect(head).not.toContain('content-encoding')
  }
})

test('a small answer is not compressed', async () => {
  const { head } = await bytesOf('/rc/v1/users', { ...headers, 'Accept-Encoding': 'gzip' })
  expect(head).not.toContain('content-encoding')
})

test('a long document is sent in parts, compressed as it goes', async () => {
  const answer = await fetch(`${on.url}/rc/v1/users/*/sources/City/docs/md`, { headers })
  expect([answer.headers.get('content-encoding'), answer.headers.get('transfer-encoding')]).toEqual(['gzip', 'chunked'])
  expect(Object.keys((await answer.json()) as object)).toHaveLength(3000)
})

test('an answer that fails halfway ends the connection', async () => {
  const { collections } = on.store
  const list = collections.list.bind(collections)
  collections.list = async (collection, page) => {
    if (page.after !== undefined) throw new Error('the store broke')
    return list(collection, page)
  }
  const whole = fetch(`${on.url}/rc/v1/users/*/sources/City/docs/md`, { headers }).then(answer => answer.text())
  await expect(whole).rejects.toThrow()
  expect((await on.call('GET', '/healthz')).status).toBe(200)
})

test('pages have security headers, answers to devices only the needed ones', async () => {
  const page = await fetch(`${on.url}/rc/v1/users`, { headers })
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(page.headers.get('x-powered-by')).toBeNull()
  const device = (await on.device('ada')).headers
  for (const path of ['/app/v1/City?p_size=0', '/rc/v1/app/events']) {
    const answer = await fetch(`${on.url}${path}`, { headers: device })
    expect([answer.status, answer.headers.get('content-security-policy')]).toEqual([200, null])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    await answer.body?.cancel()
  }
})

const audit = async () => json<AuditEntry[]>(await on.call('GET', '/rc/v1/audit', { headers }))

test.each([
  ['ends', { end: true }],
  ['is cut', { cut: true }],
])('a connection that %s in the middle of a body is no failure of the server', async (_, how) => {
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${lines(headers)}Content-Length: 9999\r\n\r\n`
  await raw(`${head('/app/v1/City/push_objects')}{"user_id"`, how)
  await raw(`${head('/rc/v1/store/motd')}{"data"`, how)
  expect((await audit())[0]).toMatchObject({ action: 'store.write', result: 'malformed_json' })
  const metrics = await (await on.ask('/metrics')).text()
  expect(metrics).toContain('godwit_request_failures_total{route="plugin.pushObjects",code="malformed_json"} 1')
  expect(metrics).not.toContain('code="internal"')
})

test('the audit has the address of a caller who disconnects before the answer', async () => {
  const { registry } = on.store
  const get = registry.get.bind(registry)
  const gone = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  registry.get = async (kind, id) => {
    asked.resolve()
    await gone.promise
    return get(kind, id)
  }
  const socket = connect(Number(new URL(on.url).port), '127.0.0.1')
  socket.write(`DELETE /rc/v1/users/nobody HTTP/1.1\r\nHost: x\r\n${lines(headers)}\r\n`)
  await asked.promise
  socket.destroy()
  await new Promise(resolve => setTimeout(resolve, 50))
  gone.resolve()
  expect((await audit())[0]).toMatchObject({ action: 'users.delete', address: expect.stringContaining('127.0.0.1') })
})

test.each([true, false])('a request ends although its caller left before its body was asked for', async sendsPart => {
  const { registry } = on.store
  const device = (await on.device('ada')).headers
  const get = registry.get.bind(registry)
  const gone = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  registry.get = async (kind, id) => {
    asked.resolve()
    await gone.promise
    return get(kind, id)
  }
  const socket = connect(Number(new URL(on.url).port), '127.0.0.1')
  const head = `POST /app/v1/Visit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${lines(device)}`
  socket.write(`${head}Content-Length: 9999\r\n\r\n${sendsPart ? '{"epoch":' : ''}`)
  await asked.promise
  socket.destroy()
  await new Promise(resolve => setTimeout(resolve, 50))
  gone.resolve()
  await until(async () =>
    (await (await on.ask('/metrics')).text()).includes(
      'godwit_request_failures_total{route="device.push",code="malformed_json"} 1',
    ),
  )
})

test.each([
  'GET  HTTP/1.1',
  'GET /%zz HTTP/1.1',
  'GET http://other.test/rc/v1/users HTTP/1.1',
  'BREW /rc/v1/users HTTP/1.1',
  'GET //rc/v1/users HTTP/1.1',
])('the request line %j is answered with an error', async line => {
  const answer = (await raw(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`)).toString()
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(answer).not.toContain(' at ')
})

test('a handler is aborted when its caller disconnects', async () => {
  const aborted = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const server = await openListening({
    sources: [
      defineSource<Attributes>({
        name: 'Slow',
        pollInterval: 0,
        query: ({ signal }) => {
          asked.resolve()
          signal.addEventListener('abort', () => aborted.resolve())
          return new Promise(() => {})
        },
      }),
    ],
    limits: { stopWait: 0.2 },
  })
  const device = (await server.device('ada')).headers
  const pull = fetch(`${server.url}/app/v1/Slow`, { headers: device }).catch(() => undefined)
  await asked.promise
  await server.server.close()
  await Promise.all([aborted.promise, pull])
})

test.each([
  [undefined, 'timeout=130'],
  [200, 'timeout=200'],
])('an idle connection is kept for the configured time', async (keepAlive, said) => {
  const on = await openListening(keepAlive === undefined ? {} : { limits: { keepAlive } })
  const answer = await fetch(`${on.url}/healthz`)
  expect(answer.headers.get('keep-alive')).toBe(said)
  await answer.text()
  await on.server.close()
})
