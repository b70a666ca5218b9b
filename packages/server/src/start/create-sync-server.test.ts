import { createServer } from 'node:http'
import type { Attributes, Page } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryJobs, openMemoryStore } from '@godwit/store'
import { until } from '@godwit/testing'
import { expect, jest, test } from '@jest/globals'
import { failure, json, openListening, openServer } from '../testing/open-server.js'
import { createSyncServer } from './create-sync-server.js'

/** A source whose query ends when the test says so. */
function slowSource() {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<{ [id: string]: Attributes }>()
  const query = () => {
    asked.resolve()
    return answered.promise
  }
  return { asked, answered, source: defineSource<Attributes>({ name: 'Slow', pollInterval: 0, query }) }
}

test('listens at the given address and reports it', async () => {
  const on = await openListening()
  expect(on.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await (await fetch(`${on.url}/healthz`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(`${on.url}/readyz`)).json()).toEqual({ status: 'ready' })
  await on.server.close()
  await expect(fetch(`${on.url}/healthz`)).rejects.toThrow()
})

test('an address in use is an error of listen', async () => {
  const on = await openListening()
  const other = openServer()
  await expect(other.server.listen({ port: Number(new URL(on.url).port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  await Promise.all([on.server.close(), other.server.close()])
})

test('finishes running requests, and accepts no new ones', async () => {
  const { source, asked, answered } = slowSource()
  const on = await openListening({ sources: [source] })
  const { headers } = await on.device('ada')
  const pull = fetch(`${on.url}/app/v1/Slow`, { headers })
  await asked.promise
  const closing = on.server.close()
  await new Promise(resolve => setTimeout(resolve, 30))
  await expect(fetch(`${on.url}/healthz`)).rejects.toThrow()
  answered.resolve({ a: { x: 1 } })
  const answer = await pull
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(await answer.json()).toMatchObject({ insert: { a: { x: 1 } } })
  await closing
})

test('with a delay, is not ready but still accepts requests until the delay is over', async () => {
  const on = await openListening({ limits: { stopDelay: 2 } })
  const closing = on.server.close()
  expect((await fetch(`${on.url}/readyz`)).status).toBe(503)
  const answer = await fetch(`${on.url}/healthz`)
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  await closing
  await expect(fetch(`${on.url}/healthz`)).rejects.toThrow()
})

test('waits a bounded time: calls of backends are aborted, then connections are closed', async () => {
  const { source, asked } = slowSource()
  const on = await openListening({ sources: [source], limits: { stopWait: 0.3 } })
  const { headers } = await on.device('ada')
  const pull = fetch(`${on.url}/app/v1/Slow`, { headers }).then(
    ({ status }) => status,
    () => 'cut',
  )
  await asked.promise
  const started = Date.now()
  await on.server.close()
  expect(Date.now() - started).toBeLessThan(2000)
  await pull
})

/** Timers keep this after they were cleared or ran, unlike what `hasRef` says. */
const isHolding = (timer: NodeJS.Timeout) => timer.hasRef() && !(timer as unknown as { _destroyed: boolean })._destroyed

test('leaves no timer, even of a call that its backend never answers', async () => {
  const started = jest.spyOn(globalThis, 'setTimeout')
  const holding = () => started.mock.results.map(({ value }) => value as NodeJS.Timeout).filter(isHolding)
  const { source, asked } = slowSource()
  const never = new Promise<string>(() => {})
  const Note = defineSource<Attributes>({ name: 'Note', pollInterval: -1, create: () => never })
  const on = openServer({ sources: [source, Note], limits: { stopWait: 0.1 } })
  const { headers } = await on.device('ada')
  void on.call('GET', '/app/v1/Slow', { headers })
  await asked.promise
  const { epoch } = await json<Page>(await on.call('GET', '/app/v1/Note', { headers }))
  const create = { operation: 'create', object: 'a', attributes: { x: 1 }, was: {} }
  const mutations = [{ ...create, number: 1, key: 'key-of-the-first-1' }]
  void on.call('POST', '/app/v1/Note', { headers, body: { epoch, acknowledged: 0, mutations } })
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(holding()).not.toEqual([])
  await on.server.close()
  expect(holding()).toEqual([])
  started.mockRestore()
})

test('idle keep-alive connections do not delay it', async () => {
  const on = await openListening()
  await (await fetch(`${on.url}/healthz`)).text()
  const started = Date.now()
  await on.server.close()
  expect(Date.now() - started).toBeLessThan(1000)
})

test('may be closed twice, leaves the store open, and answers no more', async () => {
  const on = await openListening()
  await Promise.all([on.server.close(), on.server.close()])
  await on.server.close()
  await on.store.check()
  await expect(on.server.fetch('http://sync.test/healthz')).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(on.server.listen({ port: 0 })).rejects.toMatchObject({ code: 'store_unavailable' })
})

test('closes without ever having run', async () => {
  await openServer().server.close()
})

test('works on the jobs of another without a socket, and refuses where it has no queues', async () => {
  const [store, jobs, sources] = [openMemoryStore(), openMemoryJobs(), []]
  const idle = createSyncServer({ store, jobs, sources, limits: { jobConcurrency: 0 } })
  await expect(idle.work()).rejects.toMatchObject({ code: 'value_not_allowed' })
  const worker = await createSyncServer({ store, jobs, sources }).work()
  await jobs.enqueue({ queue: 'ping', id: 'one', kind: 'no such kind', data: null, attempts: 1 })
  await until(async () => (await jobs.get('ping', 'one'))?.state === 'dead')
  await worker.close()
  await jobs.enqueue({ queue: 'ping', id: 'two', kind: 'no such kind', data: null })
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(await jobs.get('ping', 'two')).toMatchObject({ state: 'waiting', attempts: 0 })
})

test('that only works on jobs serves health and metrics only', async () => {
  const server = createSyncServer({ store: openMemoryStore(), sources: [], metricsToken: 'a token' })
  const { url, close } = await server.work({ port: 0 })
  const asked = async (path: string, headers = {}) => (await fetch(`${url}${path}`, { headers })).status
  expect(await asked('/healthz')).toBe(200)
  expect(await asked('/readyz')).toBe(200)
  expect(await asked('/metrics')).toBe(401)
  expect(await asked('/metrics', { authorization: 'Bearer a token' })).toBe(200)
  for (const path of ['/', '/docs', '/openapi.json', '/rc/v1/users', '/app/v1/City'])
    expect(await asked(path)).toBe(404)
  await close()
  await expect(asked('/healthz')).rejects.toThrow()
})

test('is mounted in another server, which may call it before it is ready', async () => {
  const { server } = openServer()
  const outer = createServer(server.handler)
  await new Promise<void>(resolve => outer.listen(0, '127.0.0.1', resolve))
  const address = outer.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/app/v1/City`)).status).toBe(401)
  await server.close()
  expect(await failure(await fetch(`${url}/healthz`))).toBe('503 store_unavailable')
  outer.closeAllConnections()
  outer.close()
})

test('a server that could not start tries again at the next call', async () => {
  const store = openMemoryStore()
  const { registry } = store
  const get = registry.get.bind(registry)
  registry.get = () => Promise.reject(new Error('not yet'))
  const on = openServer({ store })
  await expect(on.server.fetch('http://sync.test/healthz')).rejects.toThrow('not yet')
  registry.get = get
  expect((await on.server.fetch('http://sync.test/healthz')).status).toBe(200)
})

test('two sources of one name are refused at the start', async () => {
  const City = defineSource<Attributes>({ name: 'City' })
  const server = createSyncServer({ store: openMemoryStore(), sources: [City, City] })
  await expect(server.listen({ port: 0 })).rejects.toMatchObject({ code: 'value_not_allowed' })
})

test('sessions, tokens and positions survive a restart', async () => {
  const first = openServer()
  const headers = await first.as()
  const device = await first.device('ada')
  await first.call('POST', '/app/v1/City/push_objects', { headers, body: { user_id: '*', objects: { a: {} } } })
  const { token } = (await (await first.call('GET', '/app/v1/City', { headers: device.headers })).json()) as {
    token: string
  }
  await first.server.close()
  const second = openServer({ store: first.store })
  expect((await second.call('GET', '/rc/v1/users', { headers })).status).toBe(200)
  const path = `/app/v1/City?token=${encodeURIComponent(token)}`
  expect(await (await second.call('GET', path, { headers: device.headers })).json()).toMatchObject({
    status: 'ok',
    count: 0,
  })
})
