import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Attributes, CLIENT_ID_HEADER, type Page } from '@godwit/protocol'
import { defineSource, signatureFlaw } from '@godwit/source'
import { afterEach, expect, test } from '@jest/globals'
import { json, openServer } from '../../testing/open-server.js'

const SECRET = 'a secret of the backend'
const Order = defineSource<Attributes>({
  name: 'Order',
  partition: 'app',
  pollInterval: 0,
  remoteMethods: ['get', 'changes'],
})

interface Call {
  readonly operation: string
  readonly cursor?: string | null
  readonly ids?: readonly string[]
}
interface Reply {
  readonly status?: number
  readonly lines?: readonly object[]
  /** Ends the connection in the middle of the answer. */
  readonly isCut?: boolean
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A server with a backend that answers as the test says. */
async function world(answer: (call: Call) => Reply) {
  const calls: Call[] = []
  const backend = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const signature = String(request.headers['x-sync-signature'])
    expect(await signatureFlaw({ secret: SECRET, body, signature, now: Date.now() })).toBeUndefined()
    const call = JSON.parse(body) as Call
    if (call.operation === 'authenticate') return void response.writeHead(200).end('{}')
    calls.push(call)
    const { status = 200, lines = [], isCut = false } = answer(call)
    response.writeHead(status, { 'content-type': 'application/x-ndjson' })
    response.write(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    if (isCut) setImmediate(() => request.socket.destroy())
    else response.end()
  })
  await new Promise<void>(resolve => backend.listen(0, '127.0.0.1', resolve))
  const on = openServer({ sources: [Order], backend: { secret: SECRET }, allowPrivateBackends: true })
  closers.push(
    () => backend.close(),
    () => backend.closeAllConnections(),
    () => on.server.close(),
  )
  const adapter_url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  await on.call('POST', '/rc/v1/system/appserver', { headers: await on.as(), body: { adapter_url } })
  const body = { login: 'ada', password: 'ada knows' }
  const { session } = await json<{ session: string }>(await on.call('POST', '/rc/v1/app/login', { body }))
  const bearer = { authorization: `Bearer ${session}` }
  const made = await json<{ client: { client_id: string } }>(
    await on.call('POST', '/rc/v1/clients', { headers: bearer }),
  )
  const headers = { ...bearer, [CLIENT_ID_HEADER]: made.client.client_id }
  const pull = async () => json<Page>(await on.call('GET', '/app/v1/Order', { headers }))
  return { calls, pull, store: on.store }
}

test('a backend yields its changes as lines, each with its cursor', async () => {
  const { calls, pull } = await world(({ cursor }) => ({
    lines:
      cursor === null
        ? [
            { objects: { 1: { x: 1 } }, cursor: 'a' },
            { objects: { 2: { x: 2 } }, cursor: 'a' },
          ]
        : cursor === 'a'
          ? [{ removed: ['1'], objects: { 3: { x: 3 } }, cursor: 'b' }]
          : [],
  }))
  expect((await pull()).insert).toEqual({ 1: { x: 1 }, 2: { x: 2 } })
  expect(Object.keys((await pull()).insert ?? {})).toEqual(['2', '3'])
  await pull()
  expect(calls.map(({ operation, cursor }) => [operation, cursor])).toEqual([
    ['changes', null],
    ['changes', 'a'],
    ['changes', 'b'],
  ])
})

test('the status 410 starts over from null', async () => {
  let isForgotten = false
  const { calls, pull } = await world(({ cursor }) => {
    if (cursor !== null && isForgotten) return { status: 410 }
    return { lines: cursor === null ? [{ objects: { [isForgotten ? 2 : 1]: {} }, cursor: 'a' }] : [] }
  })
  await pull()
  isForgotten = true
  expect(await pull()).toMatchObject({ insert: { 2: {} }, total_count: 1 })
  expect(calls.map(({ cursor }) => cursor)).toEqual([null, 'a', null])
})

test('half an answer changes nothing from null, and later keeps the lines that arrived', async () => {
  let isCut = true
  const { pull } = await world(({ cursor }) => ({
    lines: [{ objects: { [cursor ?? 'first']: {} }, cursor: `${cursor ?? ''}.` }],
    isCut,
  }))
  expect(await pull()).toMatchObject({ total_count: 0, source_error: { code: 'backend_failed' } })
  isCut = false
  expect(await pull()).toMatchObject({ total_count: 1 })
  isCut = true
  expect(await pull()).toMatchObject({ total_count: 2, source_error: { code: 'backend_failed' } })
})
