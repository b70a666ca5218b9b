import { API_TOKEN_HEADER, type Attributes } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { verifies } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { City, failure, openServer, type TestServer, Visit } from '../../testing/open-server.js'

const Team = defineSource<Attributes>({ name: 'Team', pollInterval: -1, partitionName: () => 'north' })

async function filled(on: TestServer, logins: readonly string[]): Promise<Record<string, string>> {
  const headers = await on.as()
  for (const user_id of logins) {
    for (const source of ['City', 'Visit', 'Team']) {
      const body = { user_id, objects: { [`of ${user_id}`]: { x: 1 } } }
      await on.call('POST', `/app/v1/${source}/push_objects`, { headers, body })
    }
    const path = `/rc/v1/users/${encodeURIComponent(user_id)}/sources/Visit/docs/note`
    await on.call('POST', path, { headers, body: { data: 'mine' } })
  }
  return headers
}

const countOf = async (on: TestServer, source: string, partition: string) =>
  (await on.store.collections.head({ source, partition }))?.count

test.each(['ada', '__proto__', 'a\nb', 'user:grace', 'x/y'])('deletes %j and data of that user only', async login => {
  verifies('rest.users.delete', 'rest.users.delete.devices')

  const on = openServer({ sources: [City, Visit, Team] })
  const ada = await on.device(login)
  const grace = await on.device('grace')
  const headers = await filled(on, [login, 'grace'])
  const answer = await on.call('DELETE', `/rc/v1/users/${encodeURIComponent(login)}`, { headers })
  expect([answer.status, await answer.json()]).toEqual([200, {}])
  expect(await failure(await on.call('GET', '/app/v1/City', { headers: ada.headers }))).toBe('401 session_missing')
  expect(await on.store.registry.get('client', ada.client)).toBeUndefined()
  expect(await countOf(on, 'Visit', `user:${login}`)).toBeUndefined()
  expect(await countOf(on, 'Visit', 'user:grace')).toBe(1)
  expect(await countOf(on, 'City', '*')).toBe(2)
  expect(await countOf(on, 'Team', 'name:north')).toBe(2)
  expect((await on.call('GET', '/app/v1/City', { headers: grace.headers })).status).toBe(200)
  await on.device(login)
  const note = await on.call('GET', `/rc/v1/users/${encodeURIComponent(login)}/sources/Visit/docs/note`, { headers })
  expect(await failure(note)).toBe('404 document_not_found')
})

test('a partition dropped during its query stays dropped, though the query is retried', async () => {
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  let attempts = 0
  const query = async () => {
    asked()
    await held
    if (++attempts === 1) throw new Error('Away.')
    return { a: { of: 'ada' } }
  }
  const on = openServer({ sources: [defineSource<Attributes>({ name: 'Note', retryLimit: 1, query })] })
  const { headers } = await on.device('ada')
  const page = on.call('GET', '/app/v1/Note', { headers })
  await isAsked
  await on.store.collections.drop({ source: 'Note', partition: 'user:ada' })
  goOn()
  expect(await failure(await page)).toBe('503 store_unavailable')
  expect(await on.store.collections.head({ source: 'Note', partition: 'user:ada' })).toBeUndefined()
})

test('deletes a user whose partition a source cannot name', async () => {
  const partitionName = (login: string) => {
    if (login === 'ada') throw new Error('no team')
    return 'team'
  }
  const on = openServer({
    sources: [Visit, defineSource<Attributes>({ name: 'Team', pollInterval: -1, partitionName })],
  })
  const { headers } = await on.device('ada')
  expect(await failure(await on.call('GET', '/app/v1/Team', { headers }))).toBe('502 backend_failed')
  expect((await on.call('DELETE', '/rc/v1/users/ada', { headers: await on.as() })).status).toBe(200)
})

test.each<[string, unknown]>([
  ['a promise', Promise.reject(new Error('no team'))],
  ['null', null],
  ['an object', {}],
])('a source whose partitionName returns %s shares nothing between users', async (_, name) => {
  const on = openServer({ sources: [defineSource<Attributes>({ name: 'Team', partitionName: () => name as never })] })
  const { headers } = await on.device('ada')
  expect(await failure(await on.call('GET', '/app/v1/Team', { headers }))).toBe('502 backend_failed')
  expect(await on.store.collections.collections({ limit: 9 })).toEqual([])
})

test('revokes the tokens of a deleted API user', async () => {
  const on = openServer()
  const headers = await on.as()
  const body = { attributes: { login: 'backend', password: 'x' }, role: 'plugin' }
  await on.call('POST', '/rc/v1/users', { headers, body })
  const plugin = await on.as('backend', 'x')
  await on.call('DELETE', '/rc/v1/users/backend', { headers })
  const push = await on.call('POST', '/app/v1/City/push_objects', {
    headers: plugin,
    body: { user_id: '*', objects: {} },
  })
  expect(await failure(push)).toBe('401 token_invalid')
  expect(plugin[API_TOKEN_HEADER]).toBeDefined()
})

test('drops partitions of the user in removed sources', async () => {
  const on = openServer({ sources: [City, Visit, Team] })
  await on.device('grace')
  const headers = await filled(on, ['ada', 'grace'])
  const Old = defineSource<Attributes>({ name: 'Other', pollInterval: -1 })
  const later = openServer({ store: on.store, sources: [Old] })
  await later.device('ada')
  await later.call('DELETE', '/rc/v1/users/ada', { headers })
  expect(await countOf(on, 'Visit', 'user:ada')).toBeUndefined()
  expect(await countOf(on, 'Visit', 'user:grace')).toBe(1)
  const bare = openServer({ store: on.store, sources: [City] })
  await bare.call('DELETE', '/rc/v1/users/grace', { headers })
  expect(await countOf(on, 'Visit', 'user:grace')).toBeUndefined()
})

test('bars the user first: a login meanwhile is refused, and a second delete continues', async () => {
  const on = openServer()
  await on.device('ada')
  const headers = await on.as()
  const { collections } = on.store
  const drop = collections.drop.bind(collections)
  collections.drop = () => Promise.reject(new Error('broken off'))
  expect((await on.call('DELETE', '/rc/v1/users/ada', { headers })).status).toBe(500)
  const login = await on.call('POST', '/rc/v1/app/login', { body: { login: 'ada', password: 'secret' } })
  expect(await failure(login)).toBe('401 invalid_credentials')
  expect(await failure(await on.call('GET', '/rc/v1/users/ada', { headers }))).toBe('404 user_not_found')
  expect(await on.store.registry.count('credential', 'ada')).toBe(0)
  collections.drop = drop
  expect((await on.call('DELETE', '/rc/v1/users/ada', { headers })).status).toBe(200)
  expect(await on.store.registry.get('user', 'ada')).toBeUndefined()
})

test('a login under way when its user is deleted ends without a session', async () => {
  const on = openServer()
  await on.device('ada')
  const headers = await on.as()
  const { registry } = on.store
  const create = registry.create.bind(registry)
  registry.create = async (kind, record) => {
    if (kind === 'credential' && record.owner === 'ada') await on.call('DELETE', '/rc/v1/users/ada', { headers })
    return create(kind, record)
  }
  const login = await on.call('POST', '/rc/v1/app/login', { body: { login: 'ada', password: 'secret' } })
  expect(await failure(login)).toBe('401 invalid_credentials')
  expect(await registry.count('credential', 'ada')).toBe(0)
})

test('a pull under way when its user is deleted restores nothing', async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<{ [id: string]: Attributes }>()
  const query = () => {
    asked.resolve()
    return answered.promise
  }
  const Slow = defineSource<Attributes>({ name: 'Slow', pollInterval: 0, query })
  const on = openServer({ sources: [Slow] })
  const { headers } = await on.device('ada')
  const admin = await on.as()
  const pulling = on.call('GET', '/app/v1/Slow', { headers })
  await asked.promise
  const deleting = on.call('DELETE', '/rc/v1/users/ada', { headers: admin })
  await new Promise(resolve => setTimeout(resolve, 50))
  answered.resolve({ a: { x: 1 } })
  await Promise.all([pulling, deleting])
  expect(await countOf(on, 'Slow', 'user:ada')).toBeUndefined()
})

test.each([
  ['pull', 'GET', '/app/v1/Visit', undefined],
  ['listing of versions', 'GET', '/app/v1/Visit/versions', undefined],
  ['request for objects', 'POST', '/app/v1/Visit/objects', { ids: ['a'] }],
  ['push', 'POST', '/app/v1/Visit', { epoch: 'another', acknowledged: 0, mutations: [] }],
] as const)(
  'a %s that another process had let in opens no collection of a deleted user',
  async (_, method, path, body) => {
    const on = openServer()
    const other = openServer({ store: on.store })
    const { headers } = await on.device('ada')
    const admin = await other.as()
    const { collections } = on.store
    const open = collections.open.bind(collections)
    collections.open = async collection => {
      collections.open = open
      await other.call('DELETE', '/rc/v1/users/ada', { headers: admin })
      return open(collection)
    }
    const answer = await on.call(method, path, { headers, ...(body && { body }) })
    expect(await failure(answer)).toBe('401 session_missing')
    expect(await countOf(on, 'Visit', 'user:ada')).toBeUndefined()
  },
)

test('a query that begins when another process has deleted the user restores nothing', async () => {
  const query = () => ({ a: { x: 1 } })
  const Polled = defineSource<Attributes>({ name: 'Polled', pollInterval: 0, query })
  const on = openServer({ sources: [Polled] })
  const other = openServer({ sources: [Polled], store: on.store })
  const { headers } = await on.device('ada')
  const admin = await other.as()
  const { leases } = on.store
  const acquire = leases.acquire.bind(leases)
  leases.acquire = async (lease, terms) => {
    leases.acquire = acquire
    await other.call('DELETE', '/rc/v1/users/ada', { headers: admin })
    return acquire(lease, terms)
  }
  await on.call('GET', '/app/v1/Polled', { headers })
  expect(await countOf(on, 'Polled', 'user:ada')).toBeUndefined()
})
