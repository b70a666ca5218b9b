import type { Attributes, Page } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { until, verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { clientScope } from '../../base/document-scopes.js'
import { City, EDGES, failure, json, openServer, type TestServer } from '../../testing/open-server.js'

describe.each(EDGES)('clients, %s', (_, open) => {
  let on: TestServer
  let admin: Record<string, string>
  beforeEach(async () => {
    on = await open()
    admin = await on.as()
  })
  afterEach(() => on.server.close())

  const clientsOf = async (login: string) =>
    json<string[]>(await on.call('GET', `/rc/v1/users/${login}/clients`, { headers: admin }))
  const pull = async (headers: Record<string, string>, source: string, token = '') =>
    json<Page>(await on.call('GET', `/app/v1/${source}?token=${encodeURIComponent(token)}`, { headers }))

  test('are created by their user and listed', async () => {
    verifies('rest.users.clients.list', 'rest.clients.belongs-to-user')

    const one = await on.device('ada')
    const other = await on.device('ada')
    await on.device('grace')
    expect(one.client).toMatch(/^[\w-]{22}$/)
    expect([...(await clientsOf('ada'))].sort()).toEqual([one.client, other.client].sort())
  })

  test('keep their push registration; omitted fields stay', async () => {
    const { headers, client } = await on.device('ada')
    const register = (body: unknown) => on.call('POST', `/rc/v1/clients/${client}/register`, { headers, body })
    const given = {
      device_type: 'apple',
      device_push_type: 'apns',
      device_pin: 'pin',
      device_port: 100,
      phone_id: 'phone',
      device_app_id: 'app',
      device_app_version: '1.2',
    }
    const answer = await register({ ...given, user: 'grace', 'nonce:*': 'x' })
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    await register({ device_pin: 'new', device_port: null })
    const { value, owner } = (await on.store.registry.get('client', client)) ?? {}
    const { device_port, ...kept } = given
    expect(value).toMatchObject({ ...kept, device_pin: 'new' })
    expect([owner, value?.['device_port'], value?.['nonce:*'] === 'x', value?.['user']]).toEqual([
      'ada',
      undefined,
      false,
      undefined,
    ])
    expect(await failure(await register({ device_pin: 7 }))).toBe('422 body_invalid')
  })

  test('are reset: every next pull is a resync', async () => {
    const { headers, client } = await on.device('ada')
    const [city, visit] = [await pull(headers, 'City'), await pull(headers, 'Visit')]
    expect((await pull(headers, 'City', city.token)).status).toBe('ok')
    const answer = await on.call('POST', `/rc/v1/clients/${client}/reset`, { headers })
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    expect((await pull(headers, 'City', city.token)).status).toBe('resync')
    expect((await pull(headers, 'Visit', visit.token)).status).toBe('resync')
  })

  test('are reset for some sources', async () => {
    const { headers, client } = await on.device('ada')
    const [city, visit] = [await pull(headers, 'City'), await pull(headers, 'Visit')]
    await on.call('POST', `/rc/v1/clients/${client}/reset`, { headers, body: { sources: ['City'] } })
    expect((await pull(headers, 'City', city.token)).status).toBe('resync')
    expect((await pull(headers, 'Visit', visit.token)).status).toBe('ok')
    const unknown = await on.call('POST', `/rc/v1/clients/${client}/reset`, {
      headers,
      body: { sources: ['City', 'None'] },
    })
    expect(await failure(unknown)).toBe('404 source_not_found')
  })

  test('are deleted under their user only', async () => {
    verifies('rest.users.clients.delete')

    const ada = await on.device('ada')
    const other = await on.device('ada')
    const grace = await on.device('grace')
    const body = { attributes: { login: 'ops', password: 'x' }, role: 'operator' }
    await on.call('POST', '/rc/v1/users', { headers: admin, body })
    const headers = await on.as('ops', 'x')
    const remove = (login: string, client: string) =>
      on.call('DELETE', `/rc/v1/users/${login}/clients/${client}`, { headers })
    expect(await failure(await remove('ada', grace.client))).toBe('404 client_not_found')
    expect(await failure(await remove('ada', '*'))).toBe('404 client_not_found')
    expect((await remove('ada', ada.client)).status).toBe(200)
    expect(await clientsOf('ada')).toEqual([other.client])
    expect(await clientsOf('grace')).toEqual([grace.client])
    expect(await failure(await on.call('GET', '/app/v1/City', { headers: ada.headers }))).toBe('404 client_not_found')
    expect((await on.call('GET', '/app/v1/City', { headers: grace.headers })).status).toBe(200)
  })
})

test('a deleted client no longer holds back compaction', async () => {
  const on = openServer()
  const { headers, client } = await on.device('ada')
  const city = { source: 'City', partition: '*' }
  await on.call('GET', '/app/v1/City', { headers })
  await on.store.collections.recordReader(city, client, 1)
  await on.call('DELETE', `/rc/v1/users/ada/clients/${client}`, { headers: await on.as() })
  expect(await on.store.collections.readers(city)).toEqual([])
})

test('a deleted client leaves nothing behind, also in removed sources', async () => {
  const Team = defineSource<Attributes>({ name: 'Team', pollInterval: -1, partitionName: () => 'north' })
  const Dear = defineSource<Attributes>({ name: 'Dear', pollInterval: -1, create: () => undefined })
  const on = openServer({ sources: [City, Team, Dear], limits: { positionInterval: 0 } })
  const { headers, client } = await on.device('ada')
  const admin = await on.as()
  const [team, dear] = [
    { source: 'Team', partition: 'name:north' },
    { source: 'Dear', partition: 'user:ada' },
  ]
  await on.call('GET', '/app/v1/Team', { headers })
  const { epoch } = await on.store.collections.open(dear)
  const mutations = [{ number: 1, key: 'a key of sixteen', operation: 'create', object: 't1', attributes: {} }]
  await on.call('POST', '/app/v1/Dear', { headers, body: { epoch, acknowledged: 0, mutations } })
  await on.call('POST', `/rc/v1/clients/${client}/sources/City/docs/note`, { headers: admin, body: { data: 'x' } })
  await until(async () => (await on.store.collections.readers(team)).length > 0)

  const later = openServer({ store: on.store, sources: [defineSource<Attributes>({ name: 'Other' })] })
  await later.call('DELETE', `/rc/v1/users/ada/clients/${client}`, { headers: admin })
  expect(await on.store.collections.readers(team)).toEqual([])
  expect((await on.store.journal.outcomes(dear, client, { after: 0, limit: 10 })).outcomes).toEqual([])
  expect(await on.store.documents.get(clientScope('City', client), 'note')).toBeUndefined()
})

test('a session that ends while a client is created leaves no client', async () => {
  const on = openServer()
  const { headers } = await on.device('ada')
  const { registry } = on.store
  const create = registry.create.bind(registry)
  registry.create = async (kind, record) => {
    if (kind === 'client') await registry.deleteOwned('credential', 'ada')
    return create(kind, record)
  }
  expect(await failure(await on.call('POST', '/rc/v1/clients', { headers }))).toBe('401 session_missing')
  expect(await registry.count('client', 'ada')).toBe(1)
})

test.each([
  ['client', (ada: { readonly client: string }) => `/rc/v1/users/ada/clients/${ada.client}`],
  ['user', () => '/rc/v1/users/ada'],
])('a removed %s holds no floor, though its last pull is noted after the removal', async (_, path) => {
  const on = openServer({ sources: [City], limits: { positionInterval: 0 } })
  const ada = await on.device('ada')
  const { recordReader, readers } = on.store.collections
  const collection = { source: 'City', partition: '*' }
  const { promise: isRemoved, resolve: removed } = Promise.withResolvers<void>()
  const notes: Promise<void>[] = []
  on.store.collections.recordReader = (...given) => {
    const note = isRemoved.then(() => recordReader(...given))
    notes.push(note)
    return note
  }
  await on.call('GET', '/app/v1/City', { headers: ada.headers })
  const answer = await on.call('DELETE', path(ada), { headers: await on.as() })
  expect(answer.status).toBe(200)
  removed()
  await Promise.all(notes)
  expect(notes.length).toBeGreaterThan(0)
  await until(async () => (await readers(collection)).length === 0)
})
