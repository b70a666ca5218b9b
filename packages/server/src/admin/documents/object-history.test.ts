import type { ObjectHistory } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { expect, test } from '@jest/globals'
import { json, openServer } from '../../testing/open-server.js'

async function world() {
  const Visit = defineSource<object>({ name: 'Visit', query: () => ({ 7: { note: 'as queried' } }), update: () => {} })
  const on = openServer({ sources: [Visit] })
  const headers = await on.as()
  const device = await on.device('ada')
  const path = '/rc/v1/users/ada/sources/Visit'
  const history = async (query: string) =>
    json<ObjectHistory>(await on.call('GET', `${path}/history?${query}`, { headers }))
  const write = (data: object) => on.call('POST', `${path}/docs/md`, { headers, body: { append: true, data } })
  const push = (objects: object) =>
    on.call('POST', '/app/v1/Visit/push_objects', { headers, body: { user_id: 'ada', objects } })
  return { on, headers, device, path, history, write, push }
}

test('the history of an object says of each version when, by whom and what', async () => {
  const { on, device, history, write, push } = await world()
  const first = await json<{ epoch: string }>(await on.call('GET', '/app/v1/Visit', { headers: device.headers }))
  await push({ 7: { note: 'pushed' } })
  await write({ 7: { note: 'edited' } })
  const mutation = {
    number: 1,
    key: 'a key of a mutation',
    operation: 'update',
    object: '7',
    attributes: { note: 'x' },
  }
  const body = { epoch: first.epoch, acknowledged: 0, mutations: [mutation] }
  await on.call('POST', '/app/v1/Visit', { headers: device.headers, body })
  const { id, state, versions, earlier } = await history('id=7')
  expect([id, state, earlier]).toEqual(['7', 'live', 'none'])
  expect(versions.map(({ version, operation, by }) => [version, operation, by])).toEqual([
    [4, 'changed', { kind: 'device', login: 'ada', client: device.client }],
    [3, 'changed', { kind: 'edit', login: 'admin', client: null }],
    [2, 'changed', { kind: 'push', login: 'admin', client: null }],
    [1, 'created', { kind: 'query', login: null, client: null }],
  ])
  for (const { changed_at } of versions)
    expect(Math.abs(Date.parse(changed_at ?? '') - Date.now())).toBeLessThan(60_000)
  expect((await history('id=7&limit=1')).earlier).toBe('more')
})

test('an object that was removed has its history, one that never was has none', async () => {
  const { on, headers, history, push } = await world()
  await push({ a: { note: 'here' } })
  await on.call('POST', '/app/v1/Visit/push_deletes', { headers, body: { user_id: 'ada', objects: ['a'] } })
  const { state, versions } = await history('id=a')
  expect([state, versions.map(({ operation }) => operation)]).toEqual(['gone', ['removed', 'created']])
  expect(await history('id=__proto__')).toEqual({ id: '__proto__', state: 'never', versions: [], earlier: 'none' })
})

test('an unknown user, an unknown source and a missing id are refused', async () => {
  const { on, headers, path } = await world()
  const status = async (of: string) => (await on.call('GET', of, { headers })).status
  expect(await status(`${path}/history`)).toBe(422)
  expect(await status('/rc/v1/users/nobody/sources/Visit/history?id=1')).toBe(404)
  expect(await status('/rc/v1/users/ada/sources/Nothing/history?id=1')).toBe(404)
})
