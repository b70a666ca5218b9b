import { type Attributes, type ClientInfo, type DocumentNames, type Page, SyncError } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { City, EDGES, failure, json, type TestServer } from '../../testing/open-server.js'

const Visit = defineSource<Attributes>({
  name: 'Visit',
  pollInterval: -1,
  create(attributes) {
    if (attributes['note'] === 'bad') throw new SyncError('refused', 'Not that.')
    return { id: 'real' }
  },
})

describe.each(EDGES)('documents of a client, %s', (_, open) => {
  let on: TestServer
  let now: number
  const pass = (seconds: number): void => {
    now += seconds * 1000
  }
  let headers: Record<string, string>
  let ada: Awaited<ReturnType<TestServer['device']>>
  beforeEach(async () => {
    now = 1_700_000_000_000
    on = await open({ sources: [City, Visit], clock: () => now })
    headers = await on.as()
    ada = await on.device('ada')
  })
  afterEach(() => on.server.close())

  const under = (rest: string, client = ada.client, source = 'Visit') =>
    `/rc/v1/clients/${encodeURIComponent(client)}/sources/${source}/${rest}`
  const read = (doc: string, client?: string, source?: string) =>
    on.call('GET', under(`docs/${encodeURIComponent(doc)}`, client, source), { headers })
  const text = async (doc: string, client?: string) => (await read(doc, client)).text()
  const write = (doc: string, body: unknown, client?: string) =>
    on.call('POST', under(`docs/${encodeURIComponent(doc)}`, client), { headers, body })
  const give = (objects: object) =>
    on.call('POST', '/app/v1/Visit/push_objects', { headers, body: { user_id: 'ada', objects } })
  const pull = async (device = ada.headers, { source = 'Visit', token = '' } = {}) =>
    json<Page>(await on.call('GET', `/app/v1/${source}?token=${encodeURIComponent(token)}`, { headers: device }))

  test('are named with paths that read them', async () => {
    verifies('rest.clients.docnames')

    await write('a/b', { data: 'x' })
    const names = await json<DocumentNames>(await on.call('GET', under('docnames'), { headers }))
    expect(Object.keys(names)).toEqual(['cd', 'cd_size', 'page_token', 'links', 'errors', 'a/b'])
    for (const path of Object.values(names)) expect((await on.call('GET', path, { headers })).status).toBe(200)
  })

  test('cd holds the objects that the client is known to have', async () => {
    verifies('rest.clients.docs.read')

    await give({ a: { x: 1 }, b: { x: 2 } })
    expect([await text('cd'), await text('cd_size'), await text('page_token')]).toEqual(['{}', '0', ''])
    const { token } = await pull()
    // Until the device returns its token, the page may have been lost.
    expect([await json(await read('cd')), await text('cd_size')]).toEqual([{}, '0'])
    await give({ b: { x: 3 }, c: {} })
    await pull(ada.headers, { token })
    expect(await json(await read('cd'))).toEqual({ a: { x: 1 } })
    expect(await text('cd_size')).toBe('1')
    expect(JSON.parse(await text('page_token'))).toMatchObject({ version: 1 })
  })

  test('in a full pass cd holds objects before the position of the device, after a reset too', async () => {
    for (const id of ['a', 'b', 'c']) await give({ [id]: { of: id } })
    const shown = async () => {
      const client = await json<ClientInfo>(await on.call('GET', `/rc/v1/clients/${ada.client}`, { headers }))
      const cd = (await json(await read('cd'))) as object
      return [Object.keys(cd).join(''), await text('cd_size'), client.positions['Visit']]
    }
    const paged = async (token = '') =>
      json<Page>(
        await on.call('GET', `/app/v1/Visit?p_size=1&token=${encodeURIComponent(token)}`, { headers: ada.headers }),
      )
    for (const round of ['first', 'after a reset']) {
      const first = await paged()
      expect([round, ...(await shown())]).toEqual([round, '', '0', 0])
      pass(61)
      const second = await paged(first.token)
      expect([round, ...(await shown())]).toEqual([round, 'a', '1', 0])
      expect(JSON.parse(await text('page_token'))).toMatchObject({ version: 0, position: { id: 'a' } })
      const third = await paged(second.token)
      const last = third.more ? await paged(third.token) : third
      await paged(last.token)
      expect([round, ...(await shown())]).toEqual([round, 'abc', '3', 3])
      await on.call('POST', `/rc/v1/clients/${ada.client}/reset`, { headers: ada.headers, body: {} })
      expect([round, ...(await shown())]).toEqual([round, '', '0', 0])
    }
  })

  test('cd lacks the page of a token that was sent before the page was stored', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await give({ [id]: { of: id } })
    const ask = async (body: object) => {
      pass(61)
      const page = await json<Page>(
        await on.call('POST', '/app/v1/Visit/pull', { headers: ada.headers, body: { p_size: 1, ...body } }),
      )
      const { position } = JSON.parse(await text('page_token')) as { readonly position?: { readonly id: string } }
      return { token: page.token, confirmed: position?.id, shown: [Object.keys(await json(await read('cd'))).join('')] }
    }
    const { token: a } = await ask({})
    const ahead = await ask({ token: a, stored_token: '' })
    expect(ahead).toMatchObject({ confirmed: '', shown: [''] })
    const b = ahead.token
    expect(await ask({ token: b, stored_token: a })).toMatchObject({ confirmed: 'a', shown: ['a'] })
    expect(await ask({ token: b })).toMatchObject({ confirmed: 'b', shown: ['ab'] })
    // A token of an earlier pass says nothing about this one.
    await on.call('POST', `/rc/v1/clients/${ada.client}/reset`, { headers: ada.headers, body: {} })
    const { token: again } = await ask({})
    expect(await ask({ token: again, stored_token: b })).toMatchObject({ confirmed: '', shown: [''] })
  })

  test('cd is read whole, however large', async () => {
    const objects = Object.fromEntries(Array.from({ length: 2100 }, (_, index) => [`id ${index}`, { index }]))
    await on.call('POST', '/rc/v1/users/ada/sources/Visit/docs/md', { headers, body: { data: objects } })
    for (let token = ''; ; ) {
      const page = await pull(ada.headers, { token })
      if (token === page.token) break
      token = page.token
    }
    await give({ 'id 7': { index: 'other' } })
    const { 'id 7': changed, ...rest } = objects
    expect(changed).toBeDefined()
    expect(await json(await read('cd'))).toEqual(rest)
    expect(await text('cd_size')).toBe('2099')
  })

  test('links and errors hold the outcomes of its mutations', async () => {
    const { epoch } = await pull()
    const create = (number: number, object: string, note: string) => ({
      number,
      key: `key-${number}-0123456789`,
      operation: 'create',
      object,
      attributes: { note },
    })
    const body = { epoch, acknowledged: 0, mutations: [create(1, 'tmp', 'good'), create(2, 'tmp2', 'bad')] }
    expect((await on.call('POST', '/app/v1/Visit', { headers: ada.headers, body })).status).toBe(200)
    expect(await json(await read('links'))).toEqual({ tmp: { id: 'real' } })
    expect(await json(await read('errors'))).toEqual({
      2: { status: 'refused', code: 'refused', message: 'Not that.' },
    })
  })

  test('computed ones are read-only', async () => {
    for (const doc of ['cd_size', 'page_token', 'links', 'errors']) {
      expect(await failure(await write(doc, { data: 'x' }))).toBe('409 document_read_only')
    }
    expect(await failure(await write('cd', { data: 'x' }))).toBe('422 body_invalid')
  })

  test('writing cd resyncs only that client and source', async () => {
    const other = await on.device('ada')
    await give({ a: { x: 1 } })
    const tokens = [await pull(), await pull(other.headers), await pull(ada.headers, { source: 'City' })]
    expect((await write('cd', { data: {} })).status).toBe(200)
    const [mine, others, cities] = tokens.map(({ token }) => token)
    expect(await pull(ada.headers, { token: mine ?? '' })).toMatchObject({ status: 'resync', insert: { a: { x: 1 } } })
    expect((await pull(other.headers, { token: others ?? '' })).status).toBe('ok')
    expect((await pull(ada.headers, { source: 'City', token: cities ?? '' })).status).toBe('ok')
  })

  test('of any other name are kept, per client', async () => {
    verifies(
      'rest.clients.docs.write.string',
      'rest.clients.docs.write.map',
      'rest.clients.docs.append',
      'rest.clients.docs.replace',
    )

    const other = await on.device('ada')
    for (const doc of ['note', '__proto__', 'a/b', 'md', '*']) {
      expect(await failure(await read(doc))).toBe('404 document_not_found')
      expect((await write(doc, { data: `of ${doc}` })).status).toBe(200)
      expect(await text(doc)).toBe(`of ${doc}`)
      expect(await failure(await read(doc, other.client))).toBe('404 document_not_found')
    }
    await write('note', { data: '!', append: true })
    expect(await text('note')).toBe('of note!')
    expect(await failure(await write('note', { data: { a: {} }, append: true }))).toBe('409 kind_differs')
    await write('note', { data: { a: { x: 1 } }, append: false })
    await write('note', { data: { a: { y: 2 }, b: {} }, append: true })
    expect(await json(await read('note'))).toEqual({ a: { x: 1, y: 2 }, b: {} })
    await write('note', { data: 'new', append: false })
    expect(await text('note')).toBe('new')
    await write('note', { data: 'newer' })
    expect(await text('note')).toBe('newer')
  })

  test('go with the client', async () => {
    await write('note', { data: 'x' })
    await on.call('DELETE', `/rc/v1/users/ada/clients/${ada.client}`, { headers })
    expect(await failure(await read('note'))).toBe('404 client_not_found')
    expect(await on.store.documents.names(JSON.stringify(['client', 'Visit', ada.client]))).toEqual([])
  })

  test('of an unknown client or source are 404', async () => {
    expect(await failure(await read('cd', 'nobody'))).toBe('404 client_not_found')
    expect(await failure(await read('cd', ada.client, 'None'))).toBe('404 source_not_found')
    expect(await failure(await on.call('GET', under('docnames', 'nobody'), { headers }))).toBe('404 client_not_found')
  })
})
