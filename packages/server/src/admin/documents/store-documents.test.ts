import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { EDGES, failure, openServer, type TestServer } from '../../testing/open-server.js'

describe.each(EDGES)('documents of the server, %s', (_, open) => {
  let on: TestServer
  let headers: Record<string, string>
  beforeEach(async () => {
    on = await open()
    headers = await on.as()
  })
  afterEach(() => on.server.close())

  const pathOf = (doc: string) => `/rc/v1/store/${encodeURIComponent(doc)}`
  const read = (doc: string) => on.call('GET', pathOf(doc), { headers })
  const write = (doc: string, body: unknown) => on.call('POST', pathOf(doc), { headers, body })

  test('hold text, answered as text', async () => {
    verifies('rest.store.read', 'rest.store.write.string')

    const written = await write('note', { data: 'äöü\n' })
    expect([written.status, await written.json()]).toEqual([200, {}])
    const answer = await read('note')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toBe('äöü\n')
  })

  test('hold objects, answered as JSON', async () => {
    verifies('rest.store.write.map')

    await write('map', { data: { a: { x: 1, list: [null] }, b: {} } })
    const answer = await read('map')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toEqual({ a: { x: 1, list: [null] }, b: {} })
  })

  test('are missing before they are written', async () => {
    expect(await failure(await read('none'))).toBe('404 document_not_found')
  })

  test('are replaced, or added to', async () => {
    verifies('rest.store.append', 'rest.store.append-to-missing', 'rest.store.replace')

    await write('note', { data: 'one ', append: true })
    await write('note', { data: 'two', append: true })
    expect(await (await read('note')).text()).toBe('one two')
    await write('note', { data: 'three', append: false })
    expect(await (await read('note')).text()).toBe('three')
    await write('map', { data: { a: { x: 1, y: 1 } }, append: true })
    await write('map', { data: { a: { x: 2, y: null }, b: { z: 3 } }, append: true })
    expect(await (await read('map')).json()).toEqual({ a: { x: 2 }, b: { z: 3 } })
    await write('map', { data: { c: {} } })
    expect(await (await read('map')).json()).toEqual({ c: {} })
  })

  test('keep their kind when they are added to', async () => {
    await write('note', { data: 'x' })
    expect(await failure(await write('note', { data: { a: {} }, append: true }))).toBe('409 kind_differs')
    expect(await (await read('note')).text()).toBe('x')
  })

  test.each([{}, { data: null }, { data: [1] }, { data: { a: 1 } }, { data: 7 }, { data: 'x', append: 'yes' }])(
    'refuse %j as data',
    async body => {
      expect(await failure(await write('note', body))).toBe('422 body_invalid')
      expect(await failure(await read('note'))).toBe('404 document_not_found')
    },
  )

  test.each(['__proto__', 'constructor', 'a/b', '../users', '*', 'ä\n', 'user:admin', '["source","City","*"]', 'md'])(
    'stay apart from other keys under any name: %j',
    async doc => {
      const ofSource = '/rc/v1/users/*/sources/City/docs/note'
      await on.call('POST', ofSource, { headers, body: { data: 'of the source' } })
      expect(await failure(await read(doc))).toBe('404 document_not_found')
      await write(doc, { data: 'x' })
      expect(await (await read(doc)).text()).toBe('x')
      expect(await (await on.call('GET', ofSource, { headers })).text()).toBe('of the source')
    },
  )

  test('are written by operators', async () => {
    const body = { attributes: { login: 'olga', password: 'hers' }, role: 'operator' }
    await on.call('POST', '/rc/v1/users', { headers, body })
    const operator = await on.as('olga', 'hers')
    const answer = await on.call('POST', pathOf('note'), { headers: operator, body: { data: 'x' } })
    expect(answer.status).toBe(200)
  })
})

test('survive a restart', async () => {
  const first = openServer()
  await first.call('POST', '/rc/v1/store/note', { headers: await first.as(), body: { data: 'x' } })
  await first.server.close()
  const second = openServer({ store: first.store })
  const answer = await second.call('GET', '/rc/v1/store/note', { headers: await second.as() })
  expect(await answer.text()).toBe('x')
})
