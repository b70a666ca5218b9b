import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { AddressGuard } from './address-guard.js'
import { GuardedClient } from './guarded-client.js'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function open(allowPrivate = true): GuardedClient {
  const guarded = new GuardedClient(new AddressGuard({ allowPrivate }))
  closers.push(() => guarded.close())
  return guarded
}

const signal = AbortSignal.timeout(60_000)
const LIMITS = { maxBytes: 100, signal }

test('a response is read whole, with its status', async () => {
  const url = await serve((request, response) => void response.writeHead(201).end(`${request.method} ${request.url}`))
  expect(await open().fetch(`${url}/keys?p=1`, LIMITS)).toMatchObject({ status: 201, body: 'GET /keys?p=1' })
})

test('a body is posted with its headers', async () => {
  const url = await serve(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    response.end(`${request.method} ${request.headers['content-type']} ${body}`)
  })
  const headers = { 'content-type': 'text/plain' }
  const { body } = await open().fetch(url, { ...LIMITS, headers, body: 'a body' })
  expect(body).toBe('POST text/plain a body')
})

test('a redirect is not followed', async () => {
  const url = await serve((_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
  expect(await open().fetch(url, LIMITS)).toMatchObject({
    status: 302,
    headers: { location: 'http://169.254.169.254/' },
    body: '',
  })
})

test('a response of 10 MB is cut off', async () => {
  let sent = 0
  const url = await serve((_, response) => {
    const part = Buffer.alloc(64 * 1024)
    const write = (): void => {
      while (sent < 10_000_000 && !response.destroyed) {
        sent += part.length
        if (!response.write(part)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  })
  await expect(open().fetch(url, LIMITS)).rejects.toThrow('expected at most 100 bytes, got more')
  expect(sent).toBeLessThan(10_000_000)
})

test('a response that does not end is given up', async () => {
  const url = await serve((_, response) => void response.write('{'))
  const fetching = open().fetch(url, { maxBytes: 100, signal: AbortSignal.timeout(50) })
  await expect(fetching).rejects.toThrow('The operation was aborted')
})

test('a private address is refused unless it is allowed, one of a metadata service always', async () => {
  const url = await serve((_, response) => void response.end('x'))
  await expect(open(false).fetch(url, LIMITS)).rejects.toMatchObject({ code: 'url_not_allowed' })
  for (const address of ['http://169.254.169.254/keys', 'file:///etc/passwd', 'http://user:secret@127.0.0.1/'])
    await expect(open().fetch(address, LIMITS)).rejects.toMatchObject({ code: 'url_not_allowed' })
})

test('addresses that devices choose have to be https', async () => {
  const url = await serve((_, response) => void response.end('x'))
  await expect(open().secureFetch(url, { signal })).rejects.toMatchObject({ code: 'url_not_allowed' })
})
