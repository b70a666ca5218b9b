import { gunzipSync } from 'node:zlib'
import { ERROR_CODES, routes } from '@godwit/protocol'
import { afterEach, describe, expect, test } from '@jest/globals'
import { EDGES, openListening, openServer, type TestServer } from '../testing/open-server.js'
import type { HttpRequest } from './http-request.js'
import { pageReply } from './pages.js'

let on: Pick<TestServer, 'server'> | undefined
afterEach(() => on?.server.close())

const PAGES = ['/openapi.json', '/docs', '/docs/errors', '/docs/page.css', '/docs/page.js']

describe.each(EDGES)('%s', (_, open) => {
  test.each(PAGES)('%s is open to every caller, and answers 304 to a client that has it', async path => {
    const { ask, server } = await open()
    on = { server }
    const first = await ask(path)
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/".{22}"$/)
    expect((await first.text()).length).toBeGreaterThan(500)
    for (const known of [tag, `"other", ${tag}`, tag.replace('W/', ''), '*']) {
      const again = await ask(path, { headers: { 'if-none-match': known } })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
    }
    expect((await ask(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test('a HEAD gets the headers, another method no page', async () => {
    const { ask, server } = await open()
    on = { server }
    const head = await ask('/docs', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '',
    ])
    expect((await ask('/docs', { method: 'POST' })).status).toBe(404)
  })

  test('the bare address redirects a browser to the page, and is no route for others', async () => {
    const { ask, server } = await open()
    on = { server }
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const answer = await ask('/', { headers, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([302, 'docs', 'Accept'])
    expect((await ask('/', { headers: { accept: '*/*' } })).status).toBe(404)
  })

  test('a trailing slash redirects to the page', async () => {
    const { ask, server } = await open()
    on = { server }
    for (const [path, location] of [
      ['/docs/', '../docs'],
      ['/docs/errors/', '../errors'],
      ['/openapi.json/', '../openapi.json'],
    ] as const) {
      const answer = await ask(path, { redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([308, location])
    }
  })
})

test('the document is compressed for clients that accept it', async () => {
  const { url, server } = await openListening()
  on = { server }
  const plain = await fetch(`${url}/openapi.json`, { headers: { 'accept-encoding': 'identity' } })
  const zipped = await fetch(`${url}/openapi.json`)
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
  expect([zipped.headers.get('content-encoding'), zipped.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding'])
  expect(await zipped.json()).toEqual(await plain.json())
})

test('pages may load from the same origin only, and no inline style or script', async () => {
  const { url, server } = await openListening()
  on = { server }
  const policy = (await fetch(`${url}/docs`)).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).toMatch(/style-src 'self'(;|$)/)
  expect(policy).not.toMatch(/unsafe|https:/)
})

test('the page has every route, and nothing inline', async () => {
  const { ask, server } = openServer()
  on = { server }
  const html = await (await ask('/docs')).text()
  const names = Object.entries(routes).flatMap(([group, lines]) => Object.keys(lines).map(name => `${group}.${name}`))
  for (const name of names) expect(html).toContain(`id="${name}"`)
  expect(html).not.toMatch(/<style|style=|<script>|onclick|undefined|\[object/)
})

test('the page of errors has every code, under the type of the problem', async () => {
  const { ask, server } = openServer()
  on = { server }
  const { type } = (await (await ask('/rc/v1/users')).json()) as { type: string }
  const [path = '', code] = type.split('#')
  const html = await (await ask(path)).text()
  expect(html).toContain(`id="${code}"`)
  for (const one of Object.keys(ERROR_CODES)) expect(html).toContain(`id="${one}"`)
})

test('a page is compressed once for all clients', async () => {
  const ask = () =>
    pageReply({ path: '/openapi.json', method: 'GET', headers: {} } as HttpRequest, { has: () => false })
  const [first, second] = [ask(), ask()]
  const zipped = (await first?.zip?.()) ?? Buffer.alloc(0)
  expect(gunzipSync(zipped).toString()).toBe(first?.body)
  expect(second?.zip?.()).toBe(first?.zip?.())
})

test('the pages about the API use the font of the console where the server has it', () => {
  const style = (hasFont: boolean) =>
    pageReply({ path: '/docs/page.css', method: 'GET', headers: {} } as HttpRequest, { has: () => hasFont })?.body
  expect(style(true)).toContain('inter.woff2')
  expect(style(false)).not.toContain('url(')
})
