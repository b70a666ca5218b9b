import type { Attributes, Page, ServerEvent } from '@godwit/protocol'
import { serverEventSchema } from '@godwit/protocol/schemas'
import { compile } from '@godwit/protocol/validate'
import { defineSource, refusal } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { SyncServerOptions } from '../../start/options.js'
import { ADMIN, City, EDGES, failure, json, openServer, type TestServer } from '../../testing/open-server.js'

const PATH = '/rc/v1/events'
const check = compile(serverEventSchema)
const opened: TestServer[] = []
afterEach(() => Promise.all(opened.splice(0).map(({ server }) => server.close())))

const faults = { query: '', create: '' }
const Note = defineSource<Attributes>({
  name: 'Note',
  pollInterval: 0,
  query() {
    if (faults.query) throw new Error(faults.query)
    return { a: { x: 1 } }
  },
  create() {
    if (faults.create === 'refused') throw refusal('no more notes')
    if (faults.create) throw new Error(faults.create)
    return 'real'
  },
  search() {
    throw new Error('the index is away')
  },
})

async function start(
  edge: (options: Partial<SyncServerOptions>) => Promise<TestServer> | TestServer,
  options: Partial<SyncServerOptions> = {},
): Promise<TestServer> {
  Object.assign(faults, { query: '', create: '' })
  const on = await edge({ sources: [City, Note], ...options })
  opened.push(on)
  return on
}

/** Returns the next event, validated against the contract; undefined at the end of the stream. */
function reader(answer: Response) {
  const source = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const next = async (): Promise<ServerEvent | undefined> => {
    for (;;) {
      const at = text.indexOf('\n\n')
      if (at >= 0) {
        const lines = text.slice(0, at).split('\n')
        text = text.slice(at + 2)
        if (lines[0] === ':') continue
        const event = check(JSON.parse(lines.at(-1)?.slice('data: '.length) ?? ''))
        expect(lines.slice(0, -1)).toEqual([...('id' in event ? [`id: ${event.id}`] : []), `event: ${event.kind}`])
        return event
      }
      const { done, value } = await source.read()
      if (done) return undefined
      text += decoder.decode(value, { stream: true })
    }
  }
  /** Returns the next event of this kind and the events before it. */
  const until = async (kind: ServerEvent['kind']): Promise<ServerEvent> => {
    for (;;) {
      const event = await next()
      if (event === undefined) throw new Error(`the stream ended before ${kind}`)
      if (event.kind === kind) return event
    }
  }
  return { next, until, cancel: () => source.cancel() }
}

async function watch(on: TestServer, query = '', headers?: Record<string, string>) {
  const answer = await on.call('GET', PATH + query, { headers: headers ?? (await on.as()) })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const events = reader(answer)
  return { ...events, started: await events.next() }
}

const mutation = (number: number) => ({
  number,
  key: `key-of-the-note-${number}`,
  operation: 'create' as const,
  object: `t${number}`,
  attributes: { secret: 'nobody else reads this' },
})

async function push(on: TestServer, device: Awaited<ReturnType<TestServer['device']>>, numbers: readonly number[]) {
  const page = await json<Page>(await on.call('GET', '/app/v1/Note', { headers: device.headers }))
  const body = { epoch: page.epoch, acknowledged: 0, mutations: numbers.map(mutation) }
  await on.call('POST', '/app/v1/Note', { headers: device.headers, body })
}

describe.each(EDGES)('an activity stream, %s', (_, edge) => {
  test('has logins, clients, writes and refusals', async () => {
    const on = await start(edge)
    const events = await watch(on)
    expect(events.started).toMatchObject({ kind: 'stream_started', resumed: false })
    const { client } = await on.device('ada')
    expect(await events.until('login')).toMatchObject({ user: 'admin', role: 'admin' })
    expect(await events.until('login')).toMatchObject({ user: 'ada', role: 'device' })
    expect(await events.until('client_created')).toMatchObject({ user: 'ada', client })
    const headers = await on.as()
    const body = { user_id: '*', objects: { a: { x: 1 }, b: { x: 2 } } }
    await on.call('POST', '/app/v1/City/push_objects', { headers, body })
    expect(await events.until('objects_written')).toMatchObject({ source: 'City', partition: '*', changed: 2 })
    await on.call('DELETE', `/rc/v1/users/ada/clients/${client}`, { headers })
    expect(await events.until('client_deleted')).toMatchObject({ user: 'ada', client })
    for (const [path, login, user] of [
      ['app', 'ada', 'ada'],
      ['system', ADMIN.login, ADMIN.login],
      ['system', 'my password', null],
    ] as const) {
      await on.call('POST', `/rc/v1/${path}/login`, { body: { login, password: 'wrong' } })
      const refused = { user, api: path === 'system', code: 'invalid_credentials' }
      expect(await events.until('login_refused')).toMatchObject(refused)
    }
  })

  test('has pushes, refusals, doubts and failures, without attributes', async () => {
    const on = await start(edge)
    const ada = await on.device('ada')
    const events = await watch(on, '?source=Note')
    const about = { source: 'Note', partition: 'user:ada', user: 'ada' }
    await push(on, ada, [1])
    expect(await events.until('query_done')).toMatchObject({
      source: 'Note',
      partition: 'user:ada',
      changed: 1,
      removed: 0,
    })
    expect(await events.until('mutations_pushed')).toMatchObject({ ...about, sent: 1, applied: 1, refused: 0 })
    faults.create = 'refused'
    await push(on, ada, [2])
    const refused = { ...about, client: ada.client, operation: 'create', object: 't2', status: 'refused' }
    const told = await events.until('mutation_refused')
    expect(told).toMatchObject({ ...refused, error: { code: 'refused', message: 'no more notes' } })
    expect(JSON.stringify(told)).not.toContain('nobody else')
    expect(await events.until('mutations_pushed')).toMatchObject({ sent: 1, applied: 0, refused: 1 })
    faults.create = 'x'.repeat(100_000)
    await push(on, ada, [3])
    const failed = await events.until('call_failed')
    expect(failed).toMatchObject({ ...about, method: 'create', error: { code: 'backend_failed' } })
    expect(JSON.stringify(failed).length).toBeLessThan(1000)
    expect(await events.until('mutation_in_doubt')).toMatchObject({ ...about, object: 't3' })
    faults.query = 'the backend is down'
    await on.call('GET', '/app/v1/Note', { headers: ada.headers })
    expect(await events.until('query_failed')).toMatchObject({ source: 'Note', error: { code: 'backend_failed' } })
    const body = { sources: ['Note', 'City'], search: { text: 'x' } }
    await on.call('POST', '/rc/v1/app/search', { headers: ada.headers, body })
    expect(await events.until('call_failed')).toMatchObject({ ...about, method: 'search' })
  })

  test('has only the requested kinds of events', async () => {
    const on = await start(edge)
    const events = await watch(on, '?kinds=client_created,client_deleted&user=grace')
    await on.device('ada')
    const { client } = await on.device('grace')
    expect(await events.next()).toMatchObject({ kind: 'client_created', user: 'grace', client })
    const wrong = await on.call('GET', `${PATH}?kinds=login,nonsense`, { headers: await on.as() })
    expect(await failure(wrong)).toBe('422 value_not_allowed')
  })

  test('resumes where it broke off, and says where it cannot', async () => {
    const on = await start(edge)
    const first = await watch(on, '?kinds=client_created')
    await on.device('ada')
    const last = await first.next()
    await first.cancel()
    const { client } = await on.device('grace')
    const id = last && 'id' in last ? last.id : ''
    const again = await watch(on, `?kinds=client_created&after=${id}`)
    expect(again.started).toMatchObject({ resumed: true })
    expect(await again.next()).toMatchObject({ user: 'grace', client })
    expect((await watch(on, '?after=of-another-time-1')).started).toMatchObject({ resumed: false })
  })

  test('ends with a reason when the token is revoked, and when the server stops', async () => {
    const on = await start(edge, { limits: { eventHeartbeat: 0.05 } })
    const headers = await on.as()
    const revoked = await watch(on, '?kinds=client_created', headers)
    const staying = await watch(on, '?kinds=server_stopping', await on.as())
    const stopping = staying.next()
    const [token] = await json<{ id: string }[]>(await on.call('GET', '/rc/v1/system/tokens', { headers }))
    await on.call('DELETE', `/rc/v1/system/tokens/${token?.id}`, { headers })
    expect(await revoked.next()).toMatchObject({ kind: 'stream_ended', reason: 'revoked' })
    expect(await revoked.next()).toBeUndefined()
    await on.server.close()
    expect(await stopping).toMatchObject({ kind: 'server_stopping' })
    expect(await staying.next()).toMatchObject({ kind: 'stream_ended', reason: 'stopping' })
  })
})

test('every process shows the events of all, and publishes none without a watcher', async () => {
  const store = openMemoryStore()
  const published: string[] = []
  const events = { ...store.events }
  events.publish = async (channel, event) => {
    published.push(channel)
    await store.events.publish(channel, event)
  }
  const shared = { ...store, events }
  const one = await start(openServer, { store: shared })
  const other = await start(openServer, { store: shared })
  await Promise.all([one.as(), other.as()])
  await new Promise(resolve => setTimeout(resolve, 100))
  const before = published.filter(channel => channel === 'server_events').length
  await one.device('ada')
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(published.filter(channel => channel === 'server_events')).toHaveLength(before)
  const stream = await watch(one)
  const { client } = await other.device('grace')
  expect(await stream.until('client_created')).toMatchObject({ user: 'grace', client })
})
