import { readFileSync } from 'node:fs'
import { CLIENT_ID_HEADER, type ClientCreated, type Page, type PushOutcomes } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { failure, json, openListening, openServer, type TestServer } from '../../testing/open-server.js'
import { UNSEEN } from './client-quota.js'
import { QUOTAS } from './quotas.js'

const DAY = 24 * 3600_000

const newClient = (on: TestServer, headers: Record<string, string>): Promise<Response> =>
  on.call('POST', '/rc/v1/clients', { headers })
const idOf = async (answer: Response): Promise<string> => (await json<ClientCreated>(answer)).client.client_id
const limited = async (on: TestServer, limit: string, result: string): Promise<string | undefined> => {
  const text = await (await on.ask('/metrics')).text()
  return new RegExp(`^godwit_limited_total\\{limit="${limit}",result="${result}"\\} (\\d+)$`, 'm').exec(text)?.[1]
}

test('a user has a limited number of clients, and a further request says why', async () => {
  const on = openServer({ limits: { clientsPerUser: 3 } })
  const ada = await on.device('ada')
  const grace = await on.device('grace')
  for (let n = 0; n < 2; n++) expect((await newClient(on, ada.headers)).status).toBe(200)
  const answer = await newClient(on, ada.headers)
  expect(answer.headers.get('retry-after')).toBe('86400')
  expect(await failure(answer)).toBe('429 quota_exceeded')
  expect((await on.store.registry.list('client', { owner: 'ada', limit: 9 })).length).toBe(3)
  expect((await newClient(on, grace.headers)).status).toBe(200)
  expect(await limited(on, 'clientsPerUser', 'refused')).toBe('1')
})

test('a client that was not seen for a week is replaced, the longest unseen first', async () => {
  let now = 1_700_000_000_000
  const on = openServer({ clock: () => now, limits: { clientsPerUser: 3 } })
  const first = await on.device('ada')
  now += 1000
  const second = await idOf(await newClient(on, first.headers))
  const pull = (client: string) =>
    on.call('GET', '/app/v1/Visit', { headers: { ...first.headers, [CLIENT_ID_HEADER]: client } })
  const third = await idOf(await newClient(on, first.headers))
  now += DAY
  await pull(third)
  now += UNSEEN - DAY - 1000
  // Only the first one is old enough, and it goes for the new one.
  const fourth = await idOf(await newClient(on, first.headers))
  const ids = async () => (await on.store.registry.list('client', { owner: 'ada', limit: 9 })).map(({ id }) => id)
  expect((await ids()).sort()).toEqual([second, third, fourth].sort())
  expect(await failure(await pull(first.client))).toBe('404 client_not_found')
  expect(await failure(await newClient(on, first.headers))).toBe('429 quota_exceeded')
  now += 1000
  const fifth = await idOf(await newClient(on, first.headers))
  expect((await ids()).sort()).toEqual([third, fourth, fifth].sort())
  expect(await limited(on, 'clientsPerUser', 'made_room')).toBe('2')
})

test('a user has a limited number of sessions, and the one that was not used for the longest time ends', async () => {
  let now = 1_700_000_000_000
  const on = openServer({ clock: () => now, limits: { sessionsPerUser: 2 } })
  const first = await on.device('ada')
  const grace = await on.device('grace')
  const logIn = async (): Promise<Record<string, string>> => {
    now += DAY
    const answer = await on.call('POST', '/rc/v1/app/login', { body: { login: 'ada', password: 'secret' } })
    return { ...first.headers, authorization: `Bearer ${(await json<{ session: string }>(answer)).session}` }
  }
  const pull = async (headers: Record<string, string>): Promise<string | number> => {
    const answer = await on.call('GET', '/app/v1/Visit', { headers })
    return answer.ok ? answer.status : failure(answer)
  }
  const second = await logIn()
  now += DAY
  expect(await pull(first.headers)).toBe(200)
  // The use of a session is noted behind its request.
  await new Promise(resolve => setImmediate(resolve))
  const third = await logIn()
  expect(await pull(second)).toBe('401 session_missing')
  expect([await pull(first.headers), await pull(third), await pull(grace.headers)]).toEqual([200, 200, 200])
  expect(await on.store.registry.count('credential', 'ada')).toBe(2)
  expect(await limited(on, 'sessionsPerUser', 'made_room')).toBe('1')
})

test('a client has a limited number of event streams, and the oldest ends', async () => {
  const on = await openListening({ limits: { streamsPerClient: 2 } })
  const ada = await on.device('ada')
  const other = await idOf(await newClient(on, ada.headers))
  const ended: string[] = []
  const open = async (name: string, client: string): Promise<AbortController> => {
    const gone = new AbortController()
    const headers = { ...ada.headers, [CLIENT_ID_HEADER]: client }
    const answer = await on.ask('/rc/v1/app/events', { headers, signal: gone.signal })
    const reader = answer.body?.getReader()
    await reader?.read()
    void (async () => {
      while (!(await reader?.read())?.done);
    })().then(
      () => ended.push(name),
      () => ended.push(name),
    )
    return gone
  }
  const streams = [
    await open('another client', other),
    await open('first', ada.client),
    await open('second', ada.client),
    await open('third', ada.client),
  ]
  await until(() => ended.length === 1)
  streams.push(await open('fourth', ada.client))
  await until(() => ended.length === 2)
  expect(ended).toEqual(['first', 'second'])
  expect(await limited(on, 'streamsPerClient', 'made_room')).toBe('2')
  for (const stream of streams) stream.abort()
  await on.server.close()
})

const create = (number: number) => ({
  number,
  key: `key-${String(number).padStart(20, '0')}`,
  operation: 'create',
  object: `v${number}`,
  attributes: { n: number },
})

test('unacknowledged outcomes of a client block new mutations', async () => {
  const Note = defineSource({
    name: 'Note',
    pollInterval: -1,
    idempotent: true,
    create: async () => undefined,
  })
  const on = openServer({ sources: [Note], limits: { outcomesPerClient: 5 } })
  const ada = await on.device('ada')
  const page = await json<Page>(await on.call('GET', '/app/v1/Note', { headers: ada.headers }))
  const push = (acknowledged: number, ...numbers: readonly number[]) =>
    on.call('POST', '/app/v1/Note', {
      headers: ada.headers,
      body: { epoch: page.epoch, acknowledged, mutations: numbers.map(create) },
    })
  expect((await push(0, 1, 2, 3, 4, 5, 6)).status).toBe(200)
  const refused = await push(0, 7)
  expect(await failure(refused)).toBe('429 quota_exceeded')
  // Known mutations get their outcomes again, and acknowledged ones make room.
  expect((await json<PushOutcomes>(await push(0, 1))).outcomes.length).toBeGreaterThan(0)
  expect((await push(1, 7)).status).toBe(200)
  expect(await limited(on, 'outcomesPerClient', 'refused')).toBe('1')
})

test('pushes of one user queue before their bodies are read, and do not delay other users', async () => {
  const on = openServer()
  const [ada, grace] = await Promise.all(['ada', 'grace'].map(login => on.device(login)))
  const bodies: ReadableStreamDefaultController[] = []
  const push = (device = ada): Promise<Response> => {
    const body = new ReadableStream({ start: controller => void bodies.push(controller) })
    const headers = { ...device?.headers, 'content-type': 'application/json' }
    return on.ask('/app/v1/Visit', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  }
  const flood = Array.from({ length: 60 }, () => push())
  expect(await failure(await Promise.race(flood))).toBe('429 quota_exceeded')
  const other = push(grace)
  bodies.at(-1)?.close()
  expect(await failure(await other)).toBe('400 malformed_json')
  for (const body of bodies.slice(0, -1)) body.close()
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter(status => status === 429).length).toBe(Number(await limited(on, 'pushesPerUser', 'refused')))
  expect(statuses.filter(status => status === 400).length).toBeGreaterThanOrEqual(33)
})

test('each quota is in the metrics from the start, and in the documentation', async () => {
  const on = openServer()
  const page = readFileSync(new URL('../../../../../docs/operating/limits.md', import.meta.url), 'utf8')
  const [, explained = ''] = page.split('## Limits for each user')
  for (const quota of QUOTAS) {
    expect([quota, await limited(on, quota, 'refused'), await limited(on, quota, 'made_room')]).toEqual([
      quota,
      '0',
      '0',
    ])
    expect(explained).toContain(`\`${quota}\``)
  }
})
