import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { workshop } from '../testing/run-godwit.js'
import type { CheckResult } from './doctor/check-result.js'

let shop: ReturnType<typeof workshop>
beforeEach(() => {
  shop = workshop()
})
afterEach(() => shop.clear())

async function doctor(environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await shop.run({ words: ['doctor', '--json'], environment }).ended
  expect(stderr).toBe('')
  const findings = JSON.parse(stdout) as readonly CheckResult[]
  const of = (about: string) => findings.filter(finding => finding.about === about)
  return { code, findings, of }
}

test('finds no fault where a server can start, or where one runs', async () => {
  const before = await doctor()
  expect([before.code, before.findings.filter(({ state }) => state !== 'ok').map(({ about }) => about)]).toEqual([
    0,
    ['server'],
  ])
  const url = await shop.run({ environment: { SYNC_LOG_LEVEL: 'silent' } }).listening
  const after = await doctor({ GODWIT_URL: url })
  expect([after.code, after.findings.filter(({ state }) => state !== 'ok')]).toEqual([0, []])
  expect(after.of('store')[0]?.says).toMatch(/objects in .* checked/)
  expect(after.of('server')[0]?.says).toBe(`${url} is ready`)
  const { stdout } = await shop.run({ words: ['doctor', '--url', url] }).ended
  expect(stdout).toMatch(/^ok +Node: \d/)
})

test('names each problem with what to do', async () => {
  mkdirSync(join(shop.folder, 'data'))
  writeFileSync(join(shop.folder, 'data', 'godwit.sqlite'), 'no database '.repeat(1000))
  writeFileSync(join(shop.folder, 'wrong.config.mjs'), 'export default { sauces: [] }')
  const other = createServer((_, response) => response.writeHead(404).end())
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const { code, findings, of } = await doctor({
    SYNC_CONFIG: 'wrong.config.mjs',
    PORT: `${port}`,
    SYNC_ADMIN_PASSWORD: 'admin',
  })
  other.close()
  expect(code).toBe(1)
  expect(of('store')).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('no SQLite database') }),
  ])
  expect(of('configuration')).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('sauces') }),
  ])
  expect(of('server')).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('not a Godwit server') }),
  ])
  expect(of('admin password')).toEqual([expect.objectContaining({ state: 'warning' })])
  for (const { state, todo } of findings) expect(typeof todo).toBe(state === 'ok' ? 'undefined' : 'string')
})

test('a configuration that creates sources on first use lacks none', async () => {
  writeFileSync(join(shop.folder, 'dynamic.config.mjs'), 'export default { dynamicSources: true }')
  const { of } = await doctor({ SYNC_CONFIG: 'dynamic.config.mjs', GODWIT_URL: 'http://127.0.0.1:9' })
  expect(of('configuration')[0]).toMatchObject({ state: 'ok', says: expect.stringContaining('created on first use') })
})

test.each([
  [{ PORT: 'http' }, 'environment', 'problem'],
  [{ NODE_ENV: 'production' }, 'environment', 'problem'],
  [{ SYNC_STORE: 'memory:' }, 'store', 'warning'],
  [{ SYNC_STORE: 'mysql://x' }, 'store', 'problem'],
  [{ GODWIT_URL: 'http://127.0.0.1:9' }, 'server', 'problem'],
  [{ SYNC_STORE: 'sqlite:deep/er/store.sqlite' }, 'store', 'ok'],
])('%j: the %s is a %s', async (environment, about, state) => {
  const { of, code } = await doctor({ GODWIT_URL: 'http://127.0.0.1:9', ...environment })
  expect([of(about)[0]?.state, code]).toEqual([state, 1])
})

test('takes no page of another web server for one that is ready', async () => {
  const other = createServer((_, response) => response.end('<!doctype html><title>Welcome</title>'))
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const { of, code } = await doctor({ GODWIT_URL: `http://127.0.0.1:${port}` })
  other.close()
  const says = expect.stringContaining('not a Godwit server')
  expect([code, of('server')]).toEqual([1, [expect.objectContaining({ state: 'problem', says })]])
})

test('tells what a server says of itself', async () => {
  const answers = [
    [200, { status: 'ready', warnings: ['It forgets: turn it on.'] }],
    [503, { code: 'store_unavailable', detail: 'The store came back empty.' }],
  ] as const
  let at = 0
  const server = createServer(({ url }, response) => {
    if (url !== '/readyz') return response.writeHead(404).end()
    const [status, body] = answers[at++] ?? answers[0]
    return response.writeHead(status).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const look = async () => (await doctor({ GODWIT_URL: `http://127.0.0.1:${port}` })).of('server')
  expect(await look()).toMatchObject([{ state: 'ok' }, { state: 'warning', says: 'It forgets: turn it on.' }])
  expect(await look()).toMatchObject([{ state: 'problem', says: expect.stringContaining('came back empty') }])
  server.close()
})

test('tells which removals are held back, with the token of the metrics', async () => {
  const metrics = [
    'godwit_removals_pending{source="Order"} 250',
    'godwit_removals_pending{source="A\\"b"} 1',
    'godwit_removals_pending_since_seconds{source="Order"} 1700000000.5',
  ].join('\n')
  const server = createServer(({ url, headers }, response) => {
    const isAllowed = url === '/metrics' && headers.authorization === 'Bearer the token of the metrics'
    response.writeHead(isAllowed ? 200 : 401).end(isAllowed ? metrics : '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const environment = { GODWIT_URL: `http://127.0.0.1:${port}` }
  const { of } = await doctor({ ...environment, SYNC_METRICS_TOKEN: 'the token of the metrics' })
  const says = expect.stringContaining('250 removals held back since 2023-11-14T22:13:20.500Z')
  const todo = expect.stringContaining('godwit sources accept')
  expect(of('Order')).toEqual([{ state: 'warning', about: 'Order', says, todo }])
  expect(of('A\\"b')).toMatchObject([{ says: expect.stringContaining('1 removal held back') }])
  expect((await doctor(environment)).of('Order')).toEqual([])
  server.close()
})

test('tells where the backend is, and whether a secret is there for it', async () => {
  const config = (backend: string) =>
    writeFileSync(
      join(shop.folder, 'backend.config.mjs'),
      `export default ({ defineSource }) => ({ ${backend} sources: [defineSource({ name: 'Remote' })] })`,
    )
  config("backend: { secret: 'thirty two characters of a secret' },")
  const settings = {
    SYNC_CONFIG: 'backend.config.mjs',
    SYNC_ADMIN_PASSWORD: 'a password of the doctor',
    XDG_CONFIG_HOME: shop.folder,
    SYNC_LOG_LEVEL: 'silent',
  }
  const url = await shop.run({ environment: settings }).listening
  const environment = { ...settings, GODWIT_URL: url }
  const look = async (more = {}) => (await doctor({ ...environment, ...more })).of('backend address')
  const none = [{ state: 'warning', todo: expect.stringContaining('godwit sources backend') }]
  expect(await look()).toMatchObject(none)
  const hint = expect.stringContaining('godwit login')
  expect(await look({ SYNC_STORE: 'memory:' })).toMatchObject([{ state: 'ok', todo: hint }])
  const run = (...words: string[]) =>
    shop.run({ words, environment: { ...environment, GODWIT_PASSWORD: settings.SYNC_ADMIN_PASSWORD } }).ended
  expect((await run('login')).code).toBe(0)
  expect(await look({ SYNC_STORE: 'memory:' })).toMatchObject(none)
  expect((await run('sources', 'backend', 'http://127.0.0.1:9/')).code).toBe(0)
  expect(await look()).toMatchObject([{ state: 'ok', says: expect.stringContaining('127.0.0.1:9') }])
  config('')
  expect(await look()).toMatchObject([{ state: 'warning', says: expect.stringContaining('is not used') }])
})

test('warns in production of demo logins that work, beside a running server', async () => {
  const url = await shop.run({ environment: { SYNC_LOG_LEVEL: 'silent' } }).listening
  writeFileSync(join(shop.folder, 'real.config.mjs'), 'export default { dynamicSources: true }')
  const production = {
    NODE_ENV: 'production',
    SYNC_CONFIG: 'real.config.mjs',
    SYNC_ADMIN_PASSWORD: 'a password of the doctor',
    GODWIT_URL: url,
  }
  const look = async (more = {}) => (await doctor({ ...production, ...more })).of('demo logins')
  expect(await look({ NODE_ENV: undefined })).toEqual([])
  expect(await look()).toEqual([
    {
      state: 'warning',
      about: 'demo logins',
      says: 'ada, grace, linus from a start in development still work, with the login as password',
      todo: 'Remove them: godwit users delete ada grace linus',
    },
  ])
  writeFileSync(join(shop.folder, 'own.config.mjs'), 'export default { authenticate: () => undefined }')
  const none = [{ state: 'ok', about: 'demo logins', says: 'disabled' }]
  expect(await look({ SYNC_CONFIG: 'own.config.mjs' })).toEqual(none)
  rmSync(join(shop.folder, 'data'), { recursive: true })
  expect(await look()).toEqual([])
})
