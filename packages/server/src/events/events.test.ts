import { openMemoryStore } from '@godwit/store'
import { afterEach, describe, expect, test } from '@jest/globals'
import { DEFAULT_LIMITS, type SyncServerOptions } from '../options.js'
import { failure, openListening, openServer, type TestServer } from '../testing/open-server.js'

const PATH = '/rc/v1/app/events'
const LIMITS = { eventGather: 1, eventHeartbeat: 3600 }

const open: { on?: TestServer } = {}
afterEach(() => open.on?.server.close())

const EDGES = [
  ['in process', async (options: Partial<SyncServerOptions>) => openServer(options)],
  ['over a socket', openListening],
] as const

async function start(edge: (options: Partial<SyncServerOptions>) => Promise<TestServer>, limits = {}) {
  const on = await edge({ limits: { ...LIMITS, ...limits } })
  open.on = on
  return on
}

/** Reads a stream event by event; '' at its end. */
function reader(answer: Response): { next(): Promise<string>; cancel(): Promise<void> } {
  const source = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    async next() {
      for (;;) {
        const at = text.indexOf('\n\n')
        if (at >= 0) {
          const event = text.slice(0, at)
          text = text.slice(at + 2)
          return event
        }
        const { done, value } = await source.read()
        if (done) return ''
        text += decoder.decode(value, { stream: true })
      }
    },
    cancel: () => source.cancel(),
  }
}

const listen = async (on: TestServer, headers: Record<string, string>, search = '') => {
  const answer = await on.call('GET', PATH + search, { headers })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect(answer.headers.get('content-encoding')).toBeNull()
  const events = reader(answer)
  expect(await events.next()).toBe('event: check\ndata: {}')
  return events
}

const push = async (on: TestServer, source: string, user: string, x = Math.random()): Promise<void> => {
  const body = { user_id: user, objects: { a: { x } } }
  const answer = await on.call('POST', `/app/v1/${source}/push_objects`, { headers: await on.as(), body })
  expect(answer.status).toBe(200)
}

describe.each(EDGES)('an event stream, %s', (_, edge) => {
  test('begins with check, and then tells what changes [behaviour.events.check] [behaviour.events.change]', async () => {
    const on = await start(edge)
    const { headers } = await on.device('ada')
    const events = await listen(on, { ...headers, 'accept-encoding': 'gzip' })
    await push(on, 'Visit', 'ada')
    expect(await events.next()).toBe('event: change\ndata: {"source":"Visit"}')
    await push(on, 'City', '*')
    expect(await events.next()).toBe('event: change\ndata: {"source":"City"}')
  })

  test('tells nobody of the partitions of others [behaviour.events.own-only]', async () => {
    const on = await start(edge)
    const events = await listen(on, (await on.device('ada')).headers)
    await push(on, 'Visit', 'grace')
    await push(on, 'City', '*')
    expect(await events.next()).toBe('event: change\ndata: {"source":"City"}')
  })

  test('takes the client from the query where headers cannot be set', async () => {
    const on = await start(edge)
    const { headers, client } = await on.device('ada')
    const { client: foreign } = await on.device('grace')
    const bare = { authorization: headers['authorization'] ?? '' }
    await listen(on, bare, `?client_id=${client}`)
    const wrong = await on.call('GET', `${PATH}?client_id=${foreign}`, { headers: bare })
    expect(await failure(wrong)).toBe('403 not_your_client')
    expect(await failure(await on.call('GET', PATH, { headers: bare }))).toBe('400 client_missing')
  })

  test('carries a comment at every heartbeat [behaviour.events.heartbeat]', async () => {
    const on = await start(edge, { eventHeartbeat: 0.01 })
    const events = await listen(on, (await on.device('ada')).headers)
    expect(DEFAULT_LIMITS.eventHeartbeat).toBe(25)
    expect(await events.next()).toBe(':')
    expect(await events.next()).toBe(':')
  })

  test.each(['logged out', 'deleted', 'given another password'])(
    'ends when its user is %s [behaviour.events.rights]',
    async how => {
      const on = await start(edge)
      const { headers } = await on.device('ada')
      const events = await listen(on, headers)
      const admin = await on.as()
      if (how === 'logged out') await on.call('POST', '/rc/v1/app/logout', { headers })
      else if (how === 'deleted') await on.call('DELETE', '/rc/v1/users/ada', { headers: admin })
      else await on.call('PUT', '/rc/v1/users/ada', { headers: admin, body: { attributes: { password: 'other' } } })
      expect(await events.next()).toBe('')
    },
  )

  test('whose session ended unheard tells nothing more, and ends [behaviour.events.rights]', async () => {
    const on = await start(edge)
    const events = await listen(on, (await on.device('ada')).headers)
    await on.store.registry.deleteOwned('credential', 'ada')
    await push(on, 'City', '*')
    expect(await events.next()).toBe('')
  })

  test('ends at once when the server stops, and none begins', async () => {
    const on = await start(edge, { stopWait: 60, streamsPerClient: 20 })
    const { headers } = await on.device('ada')
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(on, headers)))
    await on.server.close()
    expect(await Promise.all(streams.map(events => events.next()))).toEqual(streams.map(() => ''))
  })
})

test('200 devices hear one change over one subscription', async () => {
  const store = openMemoryStore()
  let subscriptions = 0
  const events = { ...store.events }
  events.subscribe = (channel, listener) => {
    if (channel === 'devices') subscriptions++
    return store.events.subscribe(channel, listener)
  }
  const on = await openListening({ store: { ...store, events }, limits: { ...LIMITS, streamsPerClient: 200 } })
  open.on = on
  const { headers } = await on.device('ada')
  const streams = await Promise.all(Array.from({ length: 200 }, () => listen(on, headers)))
  await push(on, 'City', '*')
  const heard = await Promise.all(streams.map(stream => stream.next()))
  expect(new Set(heard)).toEqual(new Set(['event: change\ndata: {"source":"City"}']))
  expect(subscriptions).toBe(1)
})

test('many changes of one source within a short time are told once', async () => {
  const on = await start(openListening, { eventGather: 300 })
  const { headers } = await on.device('ada')
  const events = await listen(on, headers)
  for (let n = 0; n < 20; n++) await push(on, 'City', '*', n)
  await push(on, 'Visit', 'ada')
  const first = await events.next()
  const heard = [first, await events.next()]
  expect(heard).toEqual(['event: change\ndata: {"source":"City"}', 'event: change\ndata: {"source":"Visit"}'])
})

test('each of the five operations of a backend is heard of [behaviour.plugin.announced]', async () => {
  const on = await start(openListening)
  const events = await listen(on, (await on.device('ada')).headers)
  const headers = await on.as()
  const operations = {
    push_objects: { objects: { a: { x: 1, y: 1 } } },
    fast_insert: { objects: { b: { x: 1 } } },
    fast_update: { delete_data: { a: { x: 1 } }, data: { a: { x: 2 } } },
    fast_delete: { data: { a: { x: 2 } } },
    push_deletes: { objects: ['b'] },
  }
  for (const [operation, body] of Object.entries(operations)) {
    await on.call('POST', `/app/v1/Visit/${operation}`, { headers, body: { user_id: 'ada', ...body } })
    expect(await events.next()).toBe('event: change\ndata: {"source":"Visit"}')
  }
})
