import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cursorGone, failure, refusal, signCall } from '@godwit/source'
import { afterEach, expect, test } from '@jest/globals'
import { nodeHandler } from './adapters/node.js'
import { createPlugin, type PluginOptions } from './create-plugin.js'
import { runSuite } from './suite/run-suite.js'

const secret = 'a secret of the backend'
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface Order {
  product: string
}

/** A backend with idempotent writes and a log of changes. */
function orders(): PluginOptions['sources'] {
  const rows = new Map<string, Order>([['17', { product: 'Lamp' }]])
  const log = ['17']
  const done = new Map<string, string>()
  return {
    Order: {
      query: async function* () {
        for (const [id, row] of rows) yield { [id]: row }
      },
      get: ids => Object.fromEntries([...rows].filter(([id]) => ids.includes(id))),
      async *changes({ cursor }) {
        if (Number(cursor ?? 0) > log.length) throw cursorGone()
        if (cursor === null) yield { objects: Object.fromEntries(rows), cursor: String(log.length) }
        for (let at = Number(cursor ?? log.length); at < log.length; at++)
          yield { removed: [String(log[at])], cursor: String(at + 1) }
      },
      create(order: Order, { idempotencyKey }) {
        if (order.product === '') throw refusal('An order has a product.')
        if (order.product === 'secret') throw new Error('SELECT * FROM orders failed')
        const id = done.get(idempotencyKey) ?? String(rows.size + 100)
        done.set(idempotencyKey, id)
        rows.set(id, order)
        return id
      },
      update: (id, changes) => void rows.set(id, { product: '', ...changes }),
      delete: id => void rows.delete(id),
    },
    Broken: {
      query: async function* () {
        yield { 1: {} }
        throw failure('the table is gone')
      },
      changes: async function* () {
        yield await Promise.reject(cursorGone())
      },
    },
  }
}

async function serve(more: Partial<PluginOptions> = {}): Promise<string> {
  const authenticate = (login: string) => login === 'ada' && { attributes: { team: 'north' } }
  const server = createServer(nodeHandler(createPlugin({ secret, sources: orders(), authenticate, ...more })))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sync`
}

async function call(url: string, operation: string, members: object): Promise<Response> {
  const body = JSON.stringify({ operation, resource: 'Order', partition: 'ada', user: 'ada', ...members })
  const signature = await signCall({ secret, body, time: Math.floor(Date.now() / 1000) })
  return fetch(`${url}/${operation}`, { method: 'POST', body, headers: { 'X-Sync-SIGNATURE': signature } })
}

test('the suite holds for a backend of this package', async () => {
  const lines: string[] = []
  const options = { url: await serve(), secret, source: 'Order', attributes: { product: 'Desk' } }
  expect([await runSuite(options, line => lines.push(line)), lines.filter(line => /^not|SKIP/.test(line))]).toEqual([
    true,
    [],
  ])
  expect(lines.at(-2)).toBe('1..13')
})

test('a refusal is 422 with its message, a lost cursor 410, and any other error tells nothing', async () => {
  const errors: unknown[] = []
  const url = await serve({ onError: error => errors.push(error) })
  const create = (product: string) => call(url, 'create', { attributes: { product }, idempotency_key: product })
  const refused = await create('')
  expect([refused.status, await refused.json()]).toEqual([422, { message: 'An order has a product.' }])
  const failed = await create('secret')
  expect([failed.status, await failed.text()]).toEqual([500, 'The backend failed.\n'])
  expect((await call(url, 'changes', { resource: 'Broken', cursor: '1' })).status).toBe(410)
  expect(errors).toEqual([new Error('SELECT * FROM orders failed')])
})

test('a function sees the claims of the user, and none of a user without', async () => {
  const seen: unknown[] = []
  const url = await serve({
    sources: {
      Order: {
        query: ({ user, claims }) => {
          seen.push([user, claims])
          return {}
        },
      },
    },
  })
  await call(url, 'query', { claims: { org: 'north' } })
  await call(url, 'query', {})
  expect(seen).toEqual([
    ['ada', { org: 'north' }],
    ['ada', {}],
  ])
})

test('a stream that fails breaks the connection off', async () => {
  const response = await call(await serve(), 'query', { resource: 'Broken' })
  await expect(response.text()).rejects.toThrow()
})

test('a call that is not signed runs nothing, and is no refusal', async () => {
  const url = await serve({ sources: { Order: { query: () => Promise.reject(new Error('it ran')) } } })
  const response = await fetch(`${url}/query`, { method: 'POST', body: '{"operation":"query"}' })
  expect([response.status, response.headers.get('content-type')]).toEqual([400, expect.stringContaining('text/plain')])
})

test('what there is not is 404: a source, a method, authenticate', async () => {
  const url = await serve({ authenticate: undefined as never })
  for (const [operation, members] of [
    ['query', { resource: '__proto__' }],
    ['search', { search: 'x', offset: 0, max_results: 1 }],
    ['authenticate', { login: 'ada', password: '' }],
  ] as const)
    expect((await call(url, operation, members)).status).toBe(404)
})

const testIf = spawnSync('python3', ['--version']).status === 0 ? test : test.skip

testIf('the suite holds for a backend of the standard library of Python', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-plugin-'))
  const program = join(folder, 'backend.py')
  writeFileSync(program, PYTHON)
  const child = spawn('python3', [program], { env: { PATH: process.env['PATH'], SECRET: secret } })
  closers.push(
    () => rmSync(folder, { recursive: true }),
    () => child.kill('SIGKILL'),
  )
  const port = await new Promise<string>(resolve => child.stdout.once('data', data => resolve(String(data).trim())))
  const lines: string[] = []
  const options = { url: `http://127.0.0.1:${port}/sync`, secret, source: 'Order', attributes: { product: 'Desk' } }
  await runSuite(options, line => lines.push(line))
  expect(lines.filter(line => /^not|SKIP/.test(line))).toEqual([])
})

test('the suite names what a backend gets wrong', async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(request.url?.endsWith('/query') ? '[{"id": 1}]' : '{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const lines: string[] = []
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await runSuite({ url, secret, source: 'Order' }, line => lines.push(line))).toBe(false)
  expect(lines).toContain(
    'not ok 1 - a call without a signature is rejected: expected a status from 400 to 499, got 200',
  )
  expect(lines).toContain(
    'not ok 4 - query returns the objects of the partition: expected an object map, got [{"id":1}]',
  )
})

const PYTHON = `
import hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["SECRET"].encode()
ORDERS, KEYS, LOG = {"17": {"product": "Lamp"}}, {}, ["17"]

def is_signed(header, body):
    at, _, digest = header.partition(",v1=")
    expected = hmac.new(SECRET, at[2:].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(digest, expected) and abs(time.time() - int(at[2:])) < 300

def answer(call):
    operation, key = call["operation"], call.get("idempotency_key")
    if operation == "authenticate":
        return (200 if call["login"] == "ada" else 401), {}
    if operation == "query":
        return 200, ORDERS
    if operation == "get":
        return 200, {id: ORDERS[id] for id in call["ids"] if id in ORDERS}
    if operation == "changes":
        if call["cursor"] is None:
            return 200, {"objects": ORDERS, "cursor": str(len(LOG))}
        if int(call["cursor"]) > len(LOG):
            return 410, {}
        changed = LOG[int(call["cursor"]):]
        objects = {id: ORDERS[id] for id in changed if id in ORDERS}
        return 200, {"objects": objects, "removed": [id for id in changed if id not in ORDERS], "cursor": str(len(LOG))}
    if operation == "create" and key not in KEYS:
        KEYS[key] = str(len(KEYS) + 100)
        ORDERS[KEYS[key]] = call["attributes"]
        LOG.append(KEYS[key])
    elif operation == "update" and key not in KEYS:
        KEYS[key] = call["id"]
        ORDERS.setdefault(call["id"], {}).update(call["attributes"])
        LOG.append(call["id"])
    elif operation == "delete":
        ORDERS.pop(call["id"], None)
        LOG.append(call["id"])
    return 200, {"id": KEYS[key]} if operation == "create" else {}

class Backend(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = is_signed(self.headers.get("X-Sync-SIGNATURE", "t=0,v1="), body)
        status, value = answer(json.loads(body)) if signed else (400, {})
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Backend)
print(server.server_address[1], flush=True)
server.serve_forever()
`
