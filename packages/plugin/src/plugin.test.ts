import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cursorGone, failure, refusal, signCall } from '@godwit/source'
import { freePort, until } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import { nodeHandler } from './adapters/node.js'
import { createPlugin, type PluginOptions } from './create-plugin.js'
import { runSuite } from './suite/run-suite.js'

const secret = 'a secret of the backend'
const PAGE = readFileSync(fileURLToPath(new URL('../../../docs/plugin-backend.md', import.meta.url)), 'utf8')
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

/** Runs the last program of the documentation in a language as a backend, and the suite against it. */
async function failuresOf(language: string, command: string, name: string, more: object): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-plugin-'))
  const program = join(folder, name)
  writeFileSync(
    program,
    [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].at(-1)?.[1] ?? '',
  )
  const port = await freePort()
  const child = spawn(command, [program], {
    env: { PATH: process.env['PATH'], BACKEND_SECRET: secret, PORT: `${port}` },
    stdio: 'ignore',
  })
  closers.push(
    () => rmSync(folder, { recursive: true }),
    () => child.kill('SIGKILL'),
  )
  const url = `http://127.0.0.1:${port}/sync`
  await until(
    () =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        () => true,
        () => false,
      ),
    { every: 20 },
  )
  const lines: string[] = []
  await runSuite({ url, secret, ...more } as Parameters<typeof runSuite>[0], line => lines.push(line))
  return lines.filter(line => /^not/.test(line) || (/SKIP/.test(line) && language === 'python'))
}

testIf('the suite holds for the documented backend in Python', async () => {
  const more = { source: 'Order', attributes: { product: 'Desk' } }
  expect(await failuresOf('python', 'python3', 'backend.py', more)).toEqual([])
})

test('the suite holds for the documented backend in Node', async () => {
  const more = { source: 'Note', attributes: { text: 'Call back' } }
  expect(await failuresOf('js', process.execPath, 'backend.mjs', more)).toEqual([])
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
