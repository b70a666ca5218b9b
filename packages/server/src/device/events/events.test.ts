import { type Attributes, HINT_HEADER } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { afterEach, describe, expect, test } from '@jest/globals'
import { DEFAULT_LIMITS } from '../../base/limits.js'
import type { SyncServerOptions } from '../../start/options.js'
import { City, failure, json, openListening, openServer, type TestServer } from '../../testing/open-server.js'

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

/** Returns the next event of a stream; '' at its end. */
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
  expect(await events.next()).toMatch(/^event: check\ndata: \{"heads":\{.*\},"within":\d+\}$/)
  return events
}

interface ChangeFacts {
  readonly source: string
  readonly epoch: string
  readonly head: number
  readonly within: number
}

const factsOf = (event: string): ChangeFacts => {
  expect(event).toMatch(/^event: change\n/)
  return JSON.parse(event.split('data: ')[1] ?? '') as ChangeFacts
}

/** Returns the source of the next event, which must be a change. */
const changed = async (events: { next(): Promise<string> }): Promise<string> => factsOf(await events.next()).source

const push = async (on: TestServer, source: string, user: string, x = Math.random()): Promise<void> => {
  const body = { user_id: user, objects: { a: { x } } }
  const answer = await on.call('POST', `/app/v1/${source}/push_objects`, { headers: await on.as(), body })
  expect(answer.status).toBe(200)
}

describe.each(EDGES)('an event stream, %s', (_, edge) => {
  test('begins with check, followed by changes', async () => {
    const on = await start(edge)
    const { headers } = await on.device('ada')
    const events = await listen(on, { ...headers, 'accept-encoding': 'gzip' })
    await push(on, 'Visit', 'ada')
    expect(await changed(events)).toBe('Visit')
    await push(on, 'City', '*')
    expect(await changed(events)).toBe('City')
  })

  test('sends no changes of partitions of other users', async () => {
    const on = await start(edge)
    const events = await listen(on, (await on.device('ada')).headers)
    await push(on, 'Visit', 'grace')
    await push(on, 'City', '*')
    expect(await changed(events)).toBe('City')
  })

  test('accepts the client in the query where headers cannot be set', async () => {
    const on = await start(edge)
    const { headers, client } = await on.device('ada')
    const { client: foreign } = await on.device('grace')
    const bare = { authorization: headers['authorization'] ?? '' }
    await listen(on, bare, `?client_id=${client}`)
    const wrong = await on.call('GET', `${PATH}?client_id=${foreign}`, { headers: bare })
    expect(await failure(wrong)).toBe('403 not_your_client')
    expect(await failure(await on.call('GET', PATH, { headers: bare }))).toBe('400 client_missing')
  })

  test('carries a comment at every heartbeat', async () => {
    const on = await start(edge, { eventHeartbeat: 0.01 })
    const events = await listen(on, (await on.device('ada')).headers)
    expect(DEFAULT_LIMITS.eventHeartbeat).toBe(25)
    expect(await events.next()).toBe(':')
    expect(await events.next()).toBe(':')
  })

  test.each(['logged out', 'deleted', 'given another password'])('ends when its user is %s', async how => {
    const on = await start(edge)
    const { headers } = await on.device('ada')
    const events = await listen(on, headers)
    const admin = await on.as()
    if (how === 'logged out') await on.call('POST', '/rc/v1/app/logout', { headers })
    else if (how === 'deleted') await on.call('DELETE', '/rc/v1/users/ada', { headers: admin })
    else await on.call('PUT', '/rc/v1/users/ada', { headers: admin, body: { attributes: { password: 'other' } } })
    expect(await events.next()).toBe('')
  })

  test('whose session ended unnoticed sends nothing more, and ends', async () => {
    const on = await start(edge)
    const events = await listen(on, (await on.device('ada')).headers)
    await on.store.registry.deleteOwned('credential', 'ada')
    await push(on, 'City', '*')
    expect(await events.next()).toBe('')
  })

  test('ends at once when the server stops, with the time over which devices spread, and no other begins', async () => {
    const on = await start(edge, { stopWait: 60, streamsPerClient: 20 })
    const { headers } = await on.device('ada')
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(on, headers)))
    await on.server.close()
    const last = 'event: spread\ndata: {"within":20}'
    expect(await Promise.all(streams.map(events => events.next()))).toEqual(streams.map(() => last))
    expect(await Promise.all(streams.map(events => events.next()))).toEqual(streams.map(() => ''))
  })
})

test('200 devices receive one change over one subscription', async () => {
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
  expect(new Set(heard.map(text => factsOf(text).source))).toEqual(new Set(['City']))
  expect(new Set(heard.map(text => factsOf(text).within))).toEqual(new Set([200]))
  expect(subscriptions).toBe(1)
})

test('many changes of one source in a short time are sent at most twice: soon, and at the end', async () => {
  const on = await start(openListening, { eventGather: 3000 })
  const { headers } = await on.device('ada')
  const events = await listen(on, headers)
  for (let n = 0; n < 20; n++) await push(on, 'City', '*', n)
  const heads = [factsOf(await events.next()), factsOf(await events.next())].map(({ source, head }) => [source, head])
  expect(heads.at(-1)).toEqual(['City', 20])
})

test('check and change have the versions of collections', async () => {
  const on = await start(openListening)
  const { headers } = await on.device('ada')
  await push(on, 'City', '*')
  const before = await on.store.collections.head({ source: 'City', partition: '*' })
  const answer = await on.call('GET', PATH, { headers })
  const events = reader(answer)
  const [, check = ''] = (await events.next()).split('data: ')
  expect(JSON.parse(check)).toEqual({ heads: { City: { epoch: before?.epoch, head: 1 } }, within: 1 })
  await push(on, 'City', '*')
  expect(factsOf(await events.next())).toEqual({ source: 'City', epoch: before?.epoch, head: 2, within: 1 })
  await events.cancel()
})

test('a client is not told of changes that it made or pulled', async () => {
  let x = 0
  const Volatile = defineSource<Attributes>({ name: 'Volatile', pollInterval: 0, query: () => ({ a: { x: ++x } }) })
  const Kept = defineSource<Attributes>({ name: 'Kept', pollInterval: -1, create: () => undefined })
  const on = await openListening({ sources: [Volatile, Kept, City], limits: LIMITS })
  open.on = on
  const [mine, others] = [await on.device('ada'), await on.device('ada')]
  const pull = (source: string, headers: Record<string, string>) => on.call('GET', `/app/v1/${source}`, { headers })
  const { epoch } = await json<{ epoch: string }>(await pull('Kept', mine.headers))
  const [own, other] = [await listen(on, mine.headers), await listen(on, others.headers)]
  await pull('Volatile', mine.headers)
  expect(await changed(other)).toBe('Volatile')
  const mutations = [{ number: 1, key: 'a key of one change', operation: 'create', object: 't1', attributes: { x: 1 } }]
  await on.call('POST', '/app/v1/Kept', { headers: mine.headers, body: { epoch, acknowledged: 0, mutations } })
  expect(await changed(other)).toBe('Kept')
  await push(on, 'City', '*')
  expect([await changed(other), await changed(own)]).toEqual(['City', 'City'])
})

test('the end of a first query is told, though it found nothing', async () => {
  const Empty = defineSource<Attributes>({ name: 'Empty', pollInterval: 3600, query: () => ({}) })
  const on = await openListening({ sources: [Empty, City], limits: LIMITS })
  open.on = on
  const [one, other] = [await on.device('ada'), await on.device('ada')]
  const events = await listen(on, other.headers)
  await on.call('GET', '/app/v1/Empty', { headers: one.headers })
  await push(on, 'City', '*')
  expect([await changed(events), await changed(events)].sort()).toEqual(['City', 'Empty'])
})

test('a pull after a hint begins no query, so that no loop of changes arises', async () => {
  let queries = 0
  const Volatile = defineSource<Attributes>({
    name: 'Volatile',
    partition: 'app',
    pollInterval: 0,
    query: () => ({ a: { x: ++queries } }),
  })
  const on = await openListening({ sources: [Volatile, City], limits: LIMITS })
  open.on = on
  const { headers } = await on.device('ada')
  const pull = async (more = {}) =>
    json<{ insert?: object }>(await on.call('GET', '/app/v1/Volatile', { headers: { ...headers, ...more } }))
  expect((await pull({ [HINT_HEADER]: '1' })).insert).toEqual({ a: { x: 1 } })
  for (let hint = 0; hint < 3; hint++) expect((await pull({ [HINT_HEADER]: '1' })).insert).toEqual({ a: { x: 1 } })
  expect((await pull()).insert).toEqual({ a: { x: 2 } })
  await on.call('PUT', '/rc/v1/readstate/users/ada/sources/Volatile', { headers: await on.as(), body: {} })
  expect((await pull({ [HINT_HEADER]: '1' })).insert).toEqual({ a: { x: 3 } })
})

test('each of the five operations of a backend sends a change', async () => {
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
    expect(await changed(events)).toBe('Visit')
  }
})
