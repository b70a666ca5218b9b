import type { RefusalContent, RefusalPage } from '@godwit/protocol'
import { defineSource, refusal } from '@godwit/source'
import { expect, test } from '@jest/globals'
import { failure, json, openServer, type TestServer } from '../../testing/open-server.js'
import { MAX_REFUSALS, REFUSAL_LIFE } from './record-refusals.js'

const refuse = () => {
  throw refusal('the warehouse is closed')
}
const Visit = defineSource<object>({ name: 'Visit', pollInterval: -1, create: refuse, update: refuse })

async function world(options: Parameters<typeof openServer>[0] = {}) {
  const on = openServer({ sources: [Visit], ...options })
  const headers = await on.as()
  const list = async (query = '') => json<RefusalPage>(await on.call('GET', `/rc/v1/refusals${query}`, { headers }))
  return { on, headers, list, ada: await pusher(on, 'ada') }
}

/** Pushes creates of a new device, with consecutive numbers. */
async function pusher(on: TestServer, login: string) {
  const { headers, client } = await on.device(login)
  const { epoch } = await json<{ epoch: string }>(await on.call('GET', '/app/v1/Visit', { headers }))
  let number = 0
  const push = async (count: number, more: object = {}) => {
    const mutations = Array.from({ length: count }, () => {
      number++
      const key = `${login} key number ${number}`
      return { number, key, operation: 'create', object: `t${number}`, attributes: { note: 'late' }, ...more }
    })
    await on.call('POST', '/app/v1/Visit', { headers, body: { epoch, acknowledged: 0, mutations } })
  }
  return { push, client, headers, epoch }
}

test('a refused mutation is kept with what its device wanted and what the backend said', async () => {
  const { on, headers, list, ada } = await world()
  await ada.push(1)
  const { refusals } = await list()
  expect(refusals).toEqual([
    {
      id: expect.any(String),
      refused_at: expect.any(String),
      source: 'Visit',
      partition: expect.any(String),
      user: 'ada',
      client: ada.client,
      operation: 'create',
      object: 't1',
      status: 'refused',
      error: { code: 'refused', message: 'the warehouse is closed' },
    },
  ])
  const path = `/rc/v1/refusals/${encodeURIComponent(refusals[0]?.id ?? '')}`
  const content = await json<RefusalContent>(await on.call('GET', path, { headers }))
  expect(content).toEqual({ ...refusals[0], attributes: { note: 'late' }, was: null })
  expect(await failure(await on.call('GET', '/rc/v1/refusals/none', { headers }))).toBe('404 mutation_not_found')
})

test('it is kept after its device has confirmed the outcome', async () => {
  const { on, list, ada } = await world()
  await ada.push(1)
  await on.call('GET', '/app/v1/Visit?acknowledged=1', { headers: ada.headers })
  expect((await list()).refusals).toHaveLength(1)
})

test('what depended on a refused create is listed with its own reason', async () => {
  const { on, list, ada } = await world()
  const create = { number: 1, key: 'key of the create', operation: 'create', object: 't1', attributes: { note: 'x' } }
  const update = { ...create, number: 2, key: 'key of the update', operation: 'update', owners: ['t1'], object: 't1' }
  const body = { epoch: ada.epoch, acknowledged: 0, mutations: [create, update] }
  await on.call('POST', '/app/v1/Visit', { headers: ada.headers, body })
  const all = (await list()).refusals.map(({ operation, status }) => `${operation} ${status}`)
  expect(all.sort()).toEqual(['create refused', 'update depends_on_refused'])
})

test('the list is filtered by user, source and reason, and comes a page at a time', async () => {
  const { on, list, ada } = await world()
  await ada.push(3)
  await (await pusher(on, 'grace')).push(1)
  const users = async (query: string) => (await list(query)).refusals.map(({ user }) => user)
  expect(await users('?user=grace')).toEqual(['grace'])
  expect(await users('?source=City')).toEqual([])
  expect(await users('?status=conflict')).toEqual([])
  const first = await list('?limit=3')
  expect(first.refusals).toHaveLength(3)
  expect((await list(`?limit=3&after=${encodeURIComponent(first.next ?? '')}`)).refusals).toHaveLength(1)
})

test('the last ones of each user are kept, and none for longer than 30 days', async () => {
  let now = Date.now()
  const { on, list, ada } = await world({ clock: () => now })
  await (await pusher(on, 'grace')).push(1)
  await ada.push(MAX_REFUSALS)
  now += 1000
  await ada.push(2)
  const kept = (await list('?user=ada&limit=1000')).refusals
  expect(kept).toHaveLength(MAX_REFUSALS)
  expect(
    kept
      .slice(0, 2)
      .map(({ object }) => object)
      .sort(),
  ).toEqual([`t${MAX_REFUSALS + 1}`, `t${MAX_REFUSALS + 2}`])
  expect((await list('?user=grace')).refusals).toHaveLength(1)
  now += REFUSAL_LIFE
  const headers = await on.as()
  expect((await json<RefusalPage>(await on.call('GET', '/rc/v1/refusals', { headers }))).refusals).toEqual([])
})

test('they go with their user, and content that is very long is left out', async () => {
  const { on, headers, list, ada } = await world()
  await ada.push(1, { attributes: { note: 'x'.repeat(20_000) } })
  const [one] = (await list()).refusals
  const path = `/rc/v1/refusals/${encodeURIComponent(one?.id ?? '')}`
  expect(await json<RefusalContent>(await on.call('GET', path, { headers }))).toMatchObject({ attributes: null })
  await on.call('DELETE', '/rc/v1/users/ada', { headers })
  expect((await list()).refusals).toEqual([])
})
