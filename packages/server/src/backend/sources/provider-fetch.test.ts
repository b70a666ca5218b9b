import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { AddressGuard } from './address-guard.js'
import { ProviderClient } from './provider-fetch.js'

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

function open(allowPrivate = true): ProviderClient {
  const guarded = new ProviderClient(new AddressGuard({ allowPrivate }))
  closers.push(() => guarded.close())
  return guarded
}

const LIMITS = { maxBytes: 100, timeout: 2000 }

test('a response is read whole, with its status', async () => {
  const url = await serve((request, response) => void response.writeHead(201).end(`${request.method} ${request.url}`))
  expect(await open().fetch(`${url}/keys?p=1`, LIMITS)).toEqual({ status: 201, body: 'GET /keys?p=1' })
})

test('a form is posted', async () => {
  const url = await serve(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    response.end(`${request.method} ${request.headers['content-type']} ${body}`)
  })
  const { body } = await open().fetch(url, { ...LIMITS, form: { code: 'a b' } })
  expect(body).toBe('POST application/x-www-form-urlencoded code=a+b')
})

test('a redirect is not followed', async () => {
  const url = await serve((_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
  expect(await open().fetch(url, LIMITS)).toEqual({ status: 302, body: '' })
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
  await expect(open().fetch(url, LIMITS)).rejects.toMatchObject({
    code: 'backend_failed',
    message: expect.stringContaining('expected at most 100 bytes, got more'),
  })
  expect(sent).toBeLessThan(10_000_000)
})

test('a response that does not end is given up', async () => {
  const url = await serve((_, response) => void response.write('{'))
  await expect(open().fetch(url, { maxBytes: 100, timeout: 50 })).rejects.toMatchObject({
    code: 'backend_failed',
    message: expect.stringContaining('no complete response within 50 ms'),
  })
})

test('a private address is refused unless it is allowed, one of a metadata service always', async () => {
  const url = await serve((_, response) => void response.end('x'))
  await expect(open(false).fetch(url, LIMITS)).rejects.toMatchObject({ code: 'url_not_allowed' })
  for (const address of ['http://169.254.169.254/keys', 'file:///etc/passwd', 'http://user:secret@127.0.0.1/'])
    await expect(open().fetch(address, LIMITS)).rejects.toMatchObject({ code: 'url_not_allowed' })
})
