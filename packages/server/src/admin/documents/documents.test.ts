import type { Attributes, DocumentNames, Page } from '@godwit/protocol'
import { defineSource, failure as told } from '@godwit/source'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { City, EDGES, failure, json, openServer, type TestServer, Visit } from '../../testing/open-server.js'

const Told = defineSource<Attributes>({
  name: 'Told',
  pollInterval: 0,
  query: () => {
    throw told('the backend sleeps')
  },
  metadata: () => ({ fields: ['note'] }),
  schema: async () => ({ version: '1.1' }),
})

const Shy = defineSource<Attributes>({
  name: 'Shy',
  pollInterval: -1,
  metadata: () => undefined as never,
  schema: () => ({ version: 1n }),
})

describe.each(EDGES)('documents of a source, %s', (_, open) => {
  let on: TestServer
  let headers: Record<string, string>
  let device: Record<string, string>
  beforeEach(async () => {
    on = await open({ sources: [City, Visit, Told, Shy] })
    headers = await on.as()
    device = (await on.device('ada')).headers
  })
  afterEach(() => on.server.close())

  const pathOf = (user: string, source: string, doc: string) =>
    `/rc/v1/users/${encodeURIComponent(user)}/sources/${source}/docs/${encodeURIComponent(doc)}`
  const read = (user: string, source: string, doc: string) => on.call('GET', pathOf(user, source, doc), { headers })
  const text = async (user: string, source: string, doc: string) => (await read(user, source, doc)).text()
  const write = (user: string, source: string, doc: string, body: unknown) =>
    on.call('POST', pathOf(user, source, doc), { headers, body })
  const names = (user: string, source: string) =>
    on.call('GET', `/rc/v1/users/${encodeURIComponent(user)}/sources/${source}/docnames`, { headers })
  const pull = async (source: string, token = '') =>
    json<Page>(await on.call('GET', `/app/v1/${source}?token=${encodeURIComponent(token)}`, { headers: device }))

  test('are named with their paths, which read them', async () => {
    verifies('rest.users.docnames')

    await write('ada', 'Visit', 'a/b note', { data: 'x' })
    const documents = await json<DocumentNames>(await names('ada', 'Visit'))
    expect(Object.keys(documents)).toEqual(['md', 'md_size', 'errors', 'metadata', 'schema', 'a/b note'])
    expect(documents['a/b note']).toBe('/rc/v1/users/ada/sources/Visit/docs/a%2Fb%20note')
    for (const path of Object.values(documents)) expect((await on.call('GET', path, { headers })).status).toBe(200)
  })

  test('that a source fails to return are a failure of the source', async () => {
    for (const doc of ['metadata', 'schema'])
      expect(await failure(await read('ada', 'Shy', doc))).toBe('502 backend_failed')
  })

  test('with * are the shared ones of an app source', async () => {
    verifies('rest.users.docnames.shared')

    const documents = await json<DocumentNames>(await names('*', 'City'))
    expect(documents['md']).toBe('/rc/v1/users/*/sources/City/docs/md')
    await write('*', 'City', 'md', { data: { paris: { name: 'Paris' } } })
    expect((await pull('City')).insert).toEqual({ paris: { name: 'Paris' } })
  })

  test('with * and a user source are refused', async () => {
    for (const answer of [
      await names('*', 'Visit'),
      await read('*', 'Visit', 'md'),
      await write('*', 'Visit', 'x', { data: 'x' }),
    ]) {
      expect(await failure(answer)).toBe('422 value_not_allowed')
    }
  })

  test('of a real user with an app source are the shared ones', async () => {
    await write('ada', 'City', 'md', { data: { paris: { name: 'Paris' } } })
    await write('*', 'City', 'note', { data: 'shared' })
    expect(await text('*', 'City', 'md')).toBe('{"paris":{"name":"Paris"}}')
    expect(await text('ada', 'City', 'note')).toBe('shared')
  })

  test('md is the collection, and its size beside it', async () => {
    verifies('rest.users.docs.read', 'rest.conventions.object-map')

    const objects = { '1': { name: 'ä', list: [1, { deep: null }], yes: false }, 'a:b*\n': {}, constructor: { x: 1 } }
    await on.call('POST', '/app/v1/Visit/push_objects', { headers, body: { user_id: 'ada', objects } })
    expect(await json(await read('ada', 'Visit', 'md'))).toEqual(objects)
    expect(await text('ada', 'Visit', 'md_size')).toBe('3')
  })

  test('md is read whole, however large', async () => {
    const objects = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`id ${index}`, { index }]))
    await write('ada', 'Visit', 'md', { data: objects })
    expect(await json(await read('ada', 'Visit', 'md'))).toEqual(objects)
    await write('ada', 'Visit', 'md', { data: { one: { x: 1 } } })
    expect(await text('ada', 'Visit', 'md')).toBe('{"one":{"x":1}}')
    expect(await text('ada', 'Visit', 'md_size')).toBe('1')
  })

  test('md is empty before the first query', async () => {
    expect(await text('ada', 'Visit', 'md')).toBe('{}')
    expect(await text('ada', 'Visit', 'md_size')).toBe('0')
  })

  test('writing md replaces it, and devices receive what changed', async () => {
    verifies('rest.users.docs.write.map', 'rest.users.docs.replace')

    await write('ada', 'Visit', 'md', { data: { a: { x: 1, y: 1 }, b: { x: 1 }, c: { x: 1 } } })
    const { token } = await pull('Visit')
    await write('ada', 'Visit', 'md', { data: { a: { x: 2 }, b: { x: 1 }, d: {} } })
    const page = await pull('Visit', token)
    expect(page.insert).toEqual({ a: { x: 2 }, d: {} })
    expect(page.delete).toEqual(['c'])
    expect(page.status).toBe('ok')
  })

  test('appending to md merges', async () => {
    verifies('rest.users.docs.append')

    await write('ada', 'Visit', 'md', { data: { a: { x: 1, y: 1 } } })
    await write('ada', 'Visit', 'md', { data: { a: { x: 2, y: null, z: 3 }, b: {} }, append: true })
    expect(await json(await read('ada', 'Visit', 'md'))).toEqual({ a: { x: 2, z: 3 }, b: {} })
    await write('ada', 'Visit', 'note', { data: 'one ' })
    await write('ada', 'Visit', 'note', { data: 'two', append: true })
    expect(await text('ada', 'Visit', 'note')).toBe('one two')
    await write('ada', 'Visit', 'map', { data: { a: { x: 1 } }, append: true })
    await write('ada', 'Visit', 'map', { data: { a: { y: 2 } }, append: true })
    expect(await json(await read('ada', 'Visit', 'map'))).toEqual({ a: { x: 1, y: 2 } })
  })

  test('md takes no text', async () => {
    await write('ada', 'Visit', 'md', { data: { a: { x: 1 } } })
    expect(await failure(await write('ada', 'Visit', 'md', { data: 'x' }))).toBe('422 body_invalid')
    expect(await failure(await write('ada', 'Visit', 'md', { data: { ['x'.repeat(1025)]: {}, b: {} } }))).toBe(
      '422 body_invalid',
    )
    expect(await text('ada', 'Visit', 'md')).toBe('{"a":{"x":1}}')
  })

  test('computed ones are read-only', async () => {
    for (const doc of ['md_size', 'errors', 'metadata', 'schema']) {
      expect(await failure(await write('ada', 'Visit', doc, { data: 'x' }))).toBe('409 document_read_only')
    }
  })

  test('errors, metadata and schema hold what the source returns', async () => {
    expect(await text('ada', 'Visit', 'errors')).toBe('{}')
    expect(await text('ada', 'Visit', 'metadata')).toBe('')
    await pull('Told')
    expect(await json(await read('ada', 'Told', 'errors'))).toMatchObject({ query: { message: 'the backend sleeps' } })
    expect(await text('ada', 'Told', 'metadata')).toBe('{"fields":["note"]}')
    expect(await text('ada', 'Told', 'schema')).toBe('{"version":"1.1"}')
  })

  test('of any other name keep what was written', async () => {
    verifies('rest.users.docs.write.string')

    for (const doc of ['note', '__proto__', 'constructor', 'a/b', 'MD', '*', 'ä\n']) {
      expect(await failure(await read('ada', 'Visit', doc))).toBe('404 document_not_found')
      const answer = await write('ada', 'Visit', doc, { data: `of ${doc}` })
      expect([answer.status, await answer.json()]).toEqual([200, {}])
      expect(await text('ada', 'Visit', doc)).toBe(`of ${doc}`)
    }
    await on.device('grace')
    expect(await failure(await read('grace', 'Visit', 'note'))).toBe('404 document_not_found')
  })

  test('keep their kind when appended to', async () => {
    await write('ada', 'Visit', 'note', { data: 'x' })
    expect(await failure(await write('ada', 'Visit', 'note', { data: { a: {} }, append: true }))).toBe(
      '409 kind_differs',
    )
    expect(await text('ada', 'Visit', 'note')).toBe('x')
    expect((await write('ada', 'Visit', 'note', { data: { a: {} } })).status).toBe(200)
    expect(await failure(await write('ada', 'Visit', 'note', { data: 'x', append: true }))).toBe('409 kind_differs')
  })

  test('without data are refused', async () => {
    for (const body of [{}, { data: null }, { data: [1] }, { data: { a: 1 } }, { data: 'x', append: 'yes' }]) {
      expect(await failure(await write('ada', 'Visit', 'note', body))).toBe('422 body_invalid')
    }
  })

  test('of an unknown user, source or document are 404', async () => {
    expect(await failure(await write('nobody', 'Visit', 'note', { data: 'x' }))).toBe('404 user_not_found')
    expect(await failure(await write('nobody', 'City', 'note', { data: 'x' }))).toBe('404 user_not_found')
    expect(await failure(await read('ada', 'None', 'md'))).toBe('404 source_not_found')
    expect(await failure(await read('ada', '__proto__', 'md'))).toBe('404 source_not_found')
    expect(await failure(await read('ada', 'Visit', 'none'))).toBe('404 document_not_found')
  })
})

test('writing md leaves the read state as it was', async () => {
  const on = openServer()
  const headers = await on.as()
  await on.device('ada')
  const visit = { source: 'Visit', partition: 'user:ada' }
  await on.store.collections.open(visit)
  await on.store.collections.requestQuery(visit, 4_000_000_000_000)
  const before = await on.store.collections.head(visit)
  await on.call('POST', '/rc/v1/users/ada/sources/Visit/docs/md', { headers, body: { data: { a: {} } } })
  const { queriesRequested, queriesServed, nextQuery, queriedAt, count } =
    (await on.store.collections.head(visit)) ?? {}
  expect({ queriesRequested, queriesServed, nextQuery, queriedAt }).toEqual({
    queriesRequested: before?.queriesRequested,
    queriesServed: before?.queriesServed,
    nextQuery: 4_000_000_000_000,
    queriedAt: undefined,
  })
  expect(count).toBe(1)
})
