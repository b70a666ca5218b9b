import { createHash } from 'node:crypto'
import type { Attributes, Mutation, ObjectMap, Page, PushOutcomes } from '@godwit/protocol'
import { defineSource, type SourceDefinition, failure as told } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { describe, expect, jest, test } from '@jest/globals'
import { failure, json, openServer } from '../../testing/open-server.js'

/** A backend that others write to as well, a source that passes through to it, and a device that keeps what pages bring. */
async function world(definition: Partial<SourceDefinition<Attributes>> = {}, store = openMemoryStore(), limits = {}) {
  const backend = new Map<string, Attributes>([
    ['a', { note: 'secret a' }],
    ['b', { note: 'secret b', more: { deep: [1] } }],
  ])
  const query = jest.fn(() => Object.fromEntries(backend))
  const Note = defineSource<Attributes>({
    name: 'Note',
    passThrough: true,
    pollInterval: 0,
    query,
    create(attributes) {
      backend.set(`real ${backend.size}`, { ...attributes, stamp: 'by the backend' })
      return `real ${backend.size - 1}`
    },
    update: (id, changes) => void backend.set(id, { ...backend.get(id), ...(changes as Attributes) }),
    delete: id => void backend.delete(id),
    ...definition,
  })
  const on = openServer({ sources: [Note], store, limits })
  const { headers, client } = await on.device('ada')
  const admin = await on.as()
  const rows = new Map<string, Attributes>()
  let token = ''
  const page = async (size = 500) => {
    const answer = await on.call('GET', `/app/v1/Note?token=${token}&p_size=${size}`, { headers })
    const came = await json<Page>(answer)
    for (const [id, attributes] of Object.entries(came.insert ?? {})) rows.set(id, attributes)
    for (const id of came.delete ?? []) rows.delete(id)
    token = came.token
    return came
  }
  const sync = async (size?: number) => {
    while ((await page(size)).more);
    return Object.fromEntries(rows)
  }
  let number = 0
  const push = async (mutation: Pick<Mutation, 'operation' | 'object'> & Partial<Mutation>) => {
    const { epoch } = await on.store.collections.open(COLLECTION)
    const mutations = [{ number: ++number, key: `a key of sixteen ${number}`, ...mutation }]
    const body = { epoch, acknowledged: 0, mutations }
    return (await json<PushOutcomes>(await on.call('POST', '/app/v1/Note', { headers, body }))).outcomes.at(-1)
  }
  return { on, admin, headers, client, backend, query, page, sync, push, now: () => Object.fromEntries(backend) }
}

const COLLECTION = { source: 'Note', partition: 'user:ada' }

describe('a source that passes through', () => {
  test('notices a date that changed', async () => {
    let when = new Date(0)
    const { sync } = await world({ query: () => ({ a: { when: when as never } }) })
    expect(await sync()).toEqual({ a: { when: '1970-01-01T00:00:00.000Z' } })
    when = new Date(1)
    expect(await sync()).toEqual({ a: { when: '1970-01-01T00:00:00.001Z' } })
  })

  test('sends devices everything, in pages of any size, and then only changes', async () => {
    const { backend, sync, page, now } = await world()
    for (let index = 0; index < 20; index++) backend.set(`n${index}`, { index })
    expect(await sync(3)).toEqual(now())
    backend.set('n1', { index: 'changed' })
    backend.delete('a')
    const next = await page()
    expect(next).toMatchObject({ insert: { n1: { index: 'changed' } }, delete: ['a'], count: 2, ends: true })
    expect(next.total_count).toBe(21)
    expect((await page()).count).toBe(0)
  })

  test('sends contents in pages of at most a mebibyte, or one row', async () => {
    const { backend, sync, page, now } = await world()
    for (const id of ['c', 'd', 'e', 'f']) backend.set(id, { note: 'x'.repeat(400_000) })
    backend.set('g', { note: 'x'.repeat(1_500_000) })
    const first = await page()
    expect([Object.keys(first.insert ?? {}), first.more]).toEqual([['a', 'b', 'c', 'd'], true])
    expect(await sync()).toEqual(now())
  })

  test('queries the backend again only for the objects of a page', async () => {
    const { query, page, sync } = await world({ pollInterval: 300 })
    await sync()
    expect(query).toHaveBeenCalledTimes(2)
    await page()
    await page()
    expect(query).toHaveBeenCalledTimes(2)
  })

  test('accepts changes of devices, and shows them the outcomes', async () => {
    const { push, sync, now } = await world()
    await sync()
    const made = await push({ operation: 'create', object: 't1', attributes: { note: 'mine' } })
    expect(made).toMatchObject({ status: 'applied', link: 'real 2', attributes: { note: 'mine' } })
    const changed = { note: 'changed' }
    const updated = await push({ operation: 'update', object: 'a', attributes: changed, was: { note: 'old' }, seen: 1 })
    expect(updated).toMatchObject({ status: 'applied' })
    expect(updated).not.toHaveProperty('attributes')
    expect(await push({ operation: 'delete', object: 'b', was: {}, seen: 1 })).toMatchObject({ status: 'applied' })
    expect(await sync()).toEqual(now())
    expect(now()).toEqual({ a: changed, 'real 2': { note: 'mine', stamp: 'by the backend' } })
  })

  test('never tells the backend a temporary id whose real one its device has heard meanwhile', async () => {
    const slow = Promise.withResolvers<void>()
    const { on, headers, backend, sync } = await world(
      {
        async create(attributes) {
          if (attributes['note'] === 'slow') await slow.promise
          backend.set(`real ${backend.size}`, attributes)
          return `real ${backend.size - 1}`
        },
      },
      openMemoryStore(),
      { pushWait: 0.05 },
    )
    await sync()
    const { epoch } = await on.store.collections.open(COLLECTION)
    const send = async (acknowledged: number, ...mutations: readonly Partial<Mutation>[]) => {
      const body = { epoch, acknowledged, mutations }
      return (await json<PushOutcomes>(await on.call('POST', '/app/v1/Note', { headers, body }))).outcomes
    }
    const create = (number: number, attributes: Attributes, owners: readonly string[] = []) =>
      ({
        number,
        key: `a key of sixteen ${number}`,
        operation: 'create',
        object: `t${number}`,
        attributes,
        owners,
      }) as const
    const first = [create(1, { note: 'owner' }), create(2, { of: 't1' }, ['t1']), create(3, { note: 'slow' })]
    const [owner] = await send(0, ...first)
    expect(owner).toMatchObject({ number: 1, status: 'applied', link: 'real 2' })
    await on.call('GET', '/app/v1/Note?token=&acknowledged=1', { headers })
    slow.resolve()
    const tried = async () => {
      const [entry] = await on.store.journal.entries(COLLECTION, [first[1]?.key ?? ''])
      return entry !== undefined && (entry.state === 'decided' || (entry.state === 'queued' && entry.attempts > 0))
    }
    while (!(await tried())) await new Promise(resolve => setImmediate(resolve))
    expect([...backend.values()]).not.toContainEqual({ of: 't1' })
    const outcomes = await send(1, create(2, { of: 'real 2' }))
    expect(outcomes).toContainEqual(expect.objectContaining({ number: 2, status: 'applied' }))
    expect([...backend.values()]).toContainEqual({ of: 'real 2' })
  })

  test('leaves conflicts to the backend, and allows no other policy', async () => {
    const policies = [{ conflict: 'reject' }, { conflict: 'server-wins' }, { resolve: () => undefined }] as const
    for (const more of policies)
      expect(() => defineSource<Attributes>({ name: 'Note', passThrough: true, ...more })).toThrow(
        /conflicts are left to the backend/,
      )
    const { backend, push, sync } = await world()
    await sync()
    backend.set('a', { note: 'theirs', city: 'Rome' })
    await sync()
    await push({ operation: 'update', object: 'a', attributes: { note: 'mine' }, was: { note: 'secret a' }, seen: 1 })
    expect((await sync())['a']).toEqual({ note: 'mine', city: 'Rome' })
  })

  test('ends a page before objects that changed meanwhile, without a resync', async () => {
    let odd = false
    let at = 0
    const { sync, page, backend } = await world({
      pollInterval: 300,
      query: () => ({ ...Object.fromEntries(backend), ...(odd && { b: { at: ++at } }) }),
    })
    odd = true
    const cut = await page()
    expect(cut).toMatchObject({ insert: { a: { note: 'secret a' } }, count: 1, more: false })
    expect(cut).not.toHaveProperty('ends')
    odd = false
    expect(await sync()).toEqual(Object.fromEntries(backend))
  })

  test('reports a failure of the backend, and recovers', async () => {
    let fails = false
    const answer: ObjectMap = { a: { n: 1 } }
    const { page, sync } = await world({
      pollInterval: -1,
      query: () => (fails ? Promise.reject(told('Away.')) : answer),
    })
    await sync()
    const {
      on,
      admin,
      page: other,
    } = await world({ pollInterval: 300, query: () => (fails ? Promise.reject(told('Away.')) : answer) })
    fails = true
    expect(await other()).toMatchObject({ count: 0, source_error: { message: 'Away.' } })
    fails = false
    await on.call('PUT', '/rc/v1/readstate/users/ada/sources/Note', { headers: admin })
    expect(await other()).toMatchObject({ insert: answer })
    expect(await page()).toMatchObject({ count: 0 })
  })

  test('repairs devices from the backend', async () => {
    const { on, headers, sync, backend } = await world()
    await sync()
    const ask = () => on.call('POST', '/app/v1/Note/objects', { headers, body: { ids: ['a', 'none'] } })
    expect(await json(await ask())).toMatchObject({ objects: { a: { note: 'secret a' } }, versions: { a: 1 } })
    backend.set('a', { note: 'another' })
    expect(await failure(await ask())).toBe('502 backend_failed')
  })

  test('shows operators ids only, and refuses objects of operators and plugins', async () => {
    const { on, admin, client, sync } = await world()
    await sync()
    const doc = (path: string) => on.call('GET', `/rc/v1/${path}`, { headers: admin })
    expect(await json(await doc('users/ada/sources/Note/docs/md'))).toEqual({ a: {}, b: {} })
    for (const value of Object.values(await json<object>(await doc(`clients/${client}/sources/Note/docs/cd`))))
      expect(value).toEqual({})
    const write = (path: string, body: object) => on.call('POST', path, { headers: admin, body })
    const objects = { x: { note: 'kept?' } }
    expect(await failure(await write('/rc/v1/users/ada/sources/Note/docs/md', { data: objects }))).toBe(
      '422 value_not_allowed',
    )
    for (const route of ['push_objects', 'fast_insert'])
      expect(await failure(await write(`/app/v1/Note/${route}`, { user_id: 'ada', objects }))).toBe(
        '422 value_not_allowed',
      )
    const fast = { user_id: 'ada', data: objects, delete_data: {} }
    for (const route of ['fast_update', 'fast_delete'])
      expect(await failure(await write(`/app/v1/Note/${route}`, fast))).toBe('422 value_not_allowed')
    const gone = { user_id: 'ada', objects: ['a'] }
    expect(await failure(await write('/app/v1/Note/push_deletes', gone))).toBe('422 value_not_allowed')
  })

  test('is in no bulk file and accepts no blobs', async () => {
    for (const more of [{ syncType: 'bulk_only' }, { storeBlob: () => undefined }] as const)
      expect(() => defineSource<Attributes>({ name: 'Note', passThrough: true, ...more })).toThrow(
        /neither files nor blobs/,
      )
    const { on, admin, headers, sync } = await world()
    await sync()
    const bulk = { partition_type: 'user', sources: ['Note'] }
    expect(await json(await on.call('POST', '/rc/v1/app/bulk_data', { headers, body: bulk }))).toEqual({
      status: 'nothing',
    })
    const data = { sync_type: 'bulk_only' }
    const put = await on.call('PUT', '/rc/v1/sources/Note', { headers: admin, body: { data } })
    expect(await failure(put)).toBe('422 value_not_allowed')
    const blob = new TextEncoder().encode('secret')
    const hash = createHash('sha256').update(blob).digest('hex')
    const sent = await on.ask(`/app/v1/Note/blobs?hash=${hash}&size=6&offset=0`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: blob,
    })
    expect(await failure(sent)).toBe('422 value_not_allowed')
  })
})

test('a source that switches pass_through on or off starts empty', async () => {
  const store = openMemoryStore()
  const textIn = async () => JSON.stringify(await store.collections.get(COLLECTION, ['a', 'b']))
  const epochs = new Set<string>()
  for (const passThrough of [false, true, true, false]) {
    const { on, sync, now } = await world({ passThrough, pollInterval: 300 }, store)
    epochs.add((await store.collections.open(COLLECTION)).epoch)
    expect(await sync()).toEqual(now())
    expect((await textIn()).includes('secret')).toBe(!passThrough)
    await on.server.close()
  }
  expect(epochs.size).toBe(3)
})

test('a pass_through device is refused by a source that keeps objects', async () => {
  const { on, headers } = await world({ passThrough: false })
  const told = '422 value_not_allowed'
  expect(await failure(await on.call('GET', '/app/v1/Note?pass_through=true', { headers }))).toBe(told)
  const { epoch } = await on.store.collections.open(COLLECTION)
  const body = { epoch, acknowledged: 0, mutations: [], pass_through: true }
  expect(await failure(await on.call('POST', '/app/v1/Note', { headers, body }))).toBe(told)
  expect(await on.store.collections.get(COLLECTION, ['a'])).toEqual({})
  const passing = await world()
  expect((await passing.on.call('GET', '/app/v1/Note?pass_through=true', { headers: passing.headers })).status).toBe(
    200,
  )
})
