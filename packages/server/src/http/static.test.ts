import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { EDGES, json, openServer, type TestServer } from '../testing/open-server.js'

const SCRIPT = `console.log(${JSON.stringify('a page'.repeat(200))})`
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-pages-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>')
  writeFileSync(join(folder, 'assets/app-Bx91kQ2z.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/app-Bx91kQ2z.js.br'), brotliCompressSync(SCRIPT))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(EDGES)('folders of pages, %s', (_, open) => {
  let on: TestServer
  afterEach(() => on.server.close())
  const begin = async (path = '/console', policy?: Record<string, string>) => {
    on = await open({ pages: [{ path, folder, ...(policy && { policy }) }] })
  }

  test('are open to every caller, under a strict policy', async () => {
    await begin()
    const page = await on.ask('/console/')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('have another policy where one is configured', async () => {
    await begin('/console', { 'script-src': "'self' 'wasm-unsafe-eval'" })
    const page = await on.ask('/console/')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self' 'wasm-unsafe-eval';")
  })

  test('answer 304 to a client that has them, and are immutable where named by a hash', async () => {
    await begin()
    const first = await on.ask('/console/assets/app-Bx91kQ2z.js')
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await first.text()).toBe(SCRIPT)
    const tag = first.headers.get('etag') ?? ''
    const again = await on.ask('/console/assets/app-Bx91kQ2z.js', { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('are served from the compressed file beside them', async () => {
    await begin()
    const asked = (accepted: string) =>
      on.ask('/console/assets/app-Bx91kQ2z.js', { headers: { 'accept-encoding': accepted } })
    const small = await asked('gzip, br')
    expect([small.headers.get('content-encoding'), small.headers.get('vary')]).toEqual(['br', 'Accept-Encoding'])
    expect(Number(small.headers.get('content-length'))).toBeLessThan(200)
    await small.arrayBuffer().catch(() => undefined)
    expect((await asked('br;q=0')).headers.get('content-encoding')).toBeNull()
  })

  test('are served as they are now where another build replaced them under a running server', async () => {
    const replaced = mkdtempSync(join(tmpdir(), 'godwit-pages-'))
    const build = (name: string) => {
      rmSync(join(replaced, 'assets'), { recursive: true, force: true })
      mkdirSync(join(replaced, 'assets'))
      writeFileSync(join(replaced, 'index.html'), `<!doctype html><title>${name}</title>`)
      writeFileSync(join(replaced, `assets/${name}-Bx91kQ2z.js`), SCRIPT + name)
      writeFileSync(join(replaced, `assets/${name}-Bx91kQ2z.js.br`), brotliCompressSync(SCRIPT + name))
    }
    build('old')
    on = await open({ pages: [{ path: '/console', folder: replaced }] })
    const ask = (path: string, headers: Record<string, string> = {}) => on.ask(`/console/${path}`, { headers })
    const before = (await ask('')).headers.get('etag') ?? ''
    expect(await (await ask('assets/old-Bx91kQ2z.js')).text()).toBe(`${SCRIPT}old`)
    build('newer')
    const page = await ask('', { 'if-none-match': before })
    expect([page.status, await page.text()]).toEqual([200, '<!doctype html><title>newer</title>'])
    expect(page.headers.get('etag')).not.toBe(before)
    expect(await (await ask('assets/newer-Bx91kQ2z.js')).text()).toBe(`${SCRIPT}newer`)
    for (const accepted of ['br', ''])
      expect((await ask('assets/old-Bx91kQ2z.js', { 'accept-encoding': accepted })).status).toBe(404)
    rmSync(replaced, { recursive: true })
  })

  test('are reached by their path and the bare address, and hide no other route', async () => {
    await begin()
    const lead = async (path: string, accept: string) => {
      const { status, headers } = await on.ask(path, { headers: { accept }, redirect: 'manual' })
      return [status, headers.get('location')]
    }
    expect(await lead('/console', '*/*')).toEqual([308, 'console/'])
    expect(await lead('/', 'text/html')).toEqual([302, 'console/'])
    expect(await lead('/', 'application/json')).toEqual([404, null])
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/metrics'])
      expect((await on.ask(path)).status).toBe(200)
    expect((await on.ask('/console/', { method: 'POST' })).status).toBe(404)
  })

  test('may be the root, and then come after every route', async () => {
    await begin('/')
    expect(await (await on.ask('/')).text()).toContain('<title>Console</title>')
    expect((await on.ask('/assets/app-Bx91kQ2z.js')).status).toBe(200)
    expect((await on.ask('/rc/v1/users')).status).toBe(401)
  })

  test.each([
    '/console/../package.json',
    '/console/%2e%2e/package.json',
    '/console/..%2fpackage.json',
    '/console/%00',
    '/console/%ff',
    '/console/assets',
    '/console/__proto__',
  ])('%s is refused as a page', async path => {
    await begin()
    expect((await on.ask(path)).status).toBeGreaterThanOrEqual(400)
  })
})

test.each([
  ['/nowhere', 'cannot be read'],
  [tmpdir(), 'has no index.html'],
])('a server with %s says that it %s, and does not start', async (missing, why) => {
  const { server } = openServer({ pages: [{ path: '/console', folder: missing }] })
  await expect(server.fetch('http://sync.test/')).rejects.toThrow(why)
  await server.close()
})

test('both logins are open, and so are pages without a folder', async () => {
  const on = openServer()
  const status = async (method: string, path: string, body?: object) =>
    (await on.call(method, path, body ? { body } : {})).status
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/metrics'])
    expect(await status('GET', path)).toBe(200)
  const unknown = { login: 'nobody', password: 'wrong' }
  for (const path of ['/rc/v1/app/login', '/rc/v1/system/login', '/rc/v1/system/session'])
    expect((await json<{ code: string }>(await on.call('POST', path, { body: unknown }))).code).toBe(
      'invalid_credentials',
    )
  await on.server.close()
})
