import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from '@jest/globals'
import { bytesOf, type HttpAnswer } from '../platform/http-response.js'
import { wholeFetch } from './node-fetch.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a server on loopback and returns its address. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

async function textIn(answer: HttpAnswer): Promise<string> {
  const bytes = await bytesOf(answer)
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  return new TextDecoder().decode(bytes)
}

const TEXT = JSON.stringify('é😀'.repeat(50_000))

test.each(['plain', 'gzip'])('an answer that arrives %s is read as the server sent it', async encoding => {
  const url = await serve((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip')
    response.setHeader('x-kind', encoding)
    if (encoding === 'gzip') response.setHeader('content-encoding', 'gzip')
    response.end(encoding === 'gzip' ? gzipSync(TEXT) : TEXT)
  })
  const response = await wholeFetch(url)
  expect([response.ok, response.status, response.headers.get('x-kind')]).toEqual([true, 200, encoding])
  expect(await textIn(response)).toBe(TEXT)
})

test('method, headers and a body of text or bytes arrive', async () => {
  const url = await serve(async (request, response) => {
    response.statusCode = 422
    const { method, headers } = request
    response.end(JSON.stringify([method, headers.authorization, headers['content-length'], await textOf(request)]))
  })
  for (const body of ['{"é":1}', new TextEncoder().encode('{"é":1}')]) {
    const response = await wholeFetch(url, { method: 'POST', headers: { authorization: 'Bearer s' }, body })
    expect([response.ok, response.status, await response.json()]).toEqual([
      false,
      422,
      ['POST', 'Bearer s', '8', '{"é":1}'],
    ])
  }
})

test('a 204 has no body, and a redirect is followed', async () => {
  const url = await serve((request, response) => {
    response.writeHead(request.url === '/' ? 307 : 204, request.url === '/' ? { location: '/there' } : {}).end()
  })
  const response = await wholeFetch(url, { method: 'POST', body: 'x' })
  expect([response.status, await textIn(response)]).toEqual([204, ''])
})

test('a redirect to another origin is returned, and nothing is sent there', async () => {
  const requested: string[] = []
  const there = await serve((request, response) => response.end(requested.push(String(request.url))))
  const url = await serve((_, response) => response.writeHead(307, { location: `${there}/secret` }).end())
  const response = await wholeFetch(url, { method: 'POST', body: 'a password' })
  expect([response.status, response.headers.get('location'), requested]).toEqual([307, `${there}/secret`, []])
})

test('an answer that is truncated, not gzip, missing or aborted rejects', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/broken') response.writeHead(200, { 'content-length': '100' }).write('half')
    if (request.url === '/broken') setImmediate(() => response.destroy())
    if (request.url === '/false') response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    if (request.url === '/slow') response.write('a')
  })
  await expect(wholeFetch(`${url}/broken`)).rejects.toThrow()
  await expect(wholeFetch(`${url}/false`)).rejects.toThrow()
  await expect(wholeFetch('http://127.0.0.1:1')).rejects.toThrow()
  const controller = new AbortController()
  const slow = wholeFetch(`${url}/slow`, { signal: controller.signal })
  setTimeout(() => controller.abort(), 20)
  await expect(slow).rejects.toThrow()
  await expect(wholeFetch(`${url}/slow`, { signal: controller.signal })).rejects.toThrow()
})

test('a connection that the server closed while idle is no failure', async () => {
  let calls = 0
  const url = await serve(async (request, response) => response.end(`${++calls} ${await textOf(request)}`))
  for (let turn = 1; turn <= 5; turn++) {
    const response = await wholeFetch(url, { method: 'POST', body: 'x' })
    expect(await textIn(response)).toBe(`${turn} x`)
    await new Promise(resolve => setImmediate(resolve))
    servers[0]?.closeAllConnections()
  }
})
