import type { Attributes, ObjectMap, Page, WriteResult } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { City, EDGES, failure, json, openServer, type TestServer, Visit } from '../../testing/open-server.js'
import { DEVICE_CHANNEL } from '../sources/channels.js'

describe.each(EDGES)('what a backend writes, %s', (_, open) => {
  let on: TestServer
  let headers: Record<string, string>
  let device: Record<string, string>
  let token = ''
  beforeEach(async () => {
    on = await open()
    const body = { attributes: { login: 'backend', password: 'x' }, role: 'plugin' }
    await on.call('POST', '/rc/v1/users', { headers: await on.as(), body })
    headers = await on.as('backend', 'x')
    device = (await on.device('ada')).headers
    token = ''
  })
  afterEach(() => on.server.close())

  const post = (operation: string, body: object, source = 'Visit') =>
    on.call('POST', `/app/v1/${source}/${operation}`, { headers, body: { user_id: 'ada', ...body } })
  const written = async (operation: string, body: object) => {
    const answer = await post(operation, body)
    expect(answer.status).toBe(200)
    return json<WriteResult>(answer)
  }
  /** Returns what a device receives at its next sync. */
  const synced = async (source = 'Visit') => {
    const query = `token=${encodeURIComponent(token)}`
    const page = await json<Page>(await on.call('GET', `/app/v1/${source}?${query}`, { headers: device }))
    token = page.token
    return { insert: page.insert, delete: page.delete }
  }
  const held = async (user = 'ada', source = 'Visit') =>
    json<ObjectMap>(await on.call('GET', `/rc/v1/users/${user}/sources/${source}/docs/md`, { headers: await on.as() }))

  test('push_objects adds and changes, and devices receive it', async () => {
    verifies(
      'rest.plugin.push-objects.adds',
      'rest.plugin.push-objects.updates',
      'rest.plugin.push-objects.delivered',
      'rest.conventions.prefix-plugin',
    )

    expect(await written('push_objects', { objects: { a: { x: 1 }, b: { x: 1 } } })).toEqual({
      version: 1,
      changed: 2,
      count: 2,
    })
    expect(await synced()).toEqual({ insert: { a: { x: 1 }, b: { x: 1 } } })
    expect(await written('push_objects', { objects: { a: { x: 2 }, b: { x: 1 }, c: {} } })).toEqual({
      version: 2,
      changed: 2,
      count: 3,
    })
    expect(await synced()).toEqual({ insert: { a: { x: 2 }, c: {} } })
    expect(await written('push_objects', { objects: {} })).toEqual({ version: 2, changed: 0, count: 3 })
  })

  test('push_objects merges, and a null removes', async () => {
    await written('push_objects', { objects: { a: { x: 1, y: 1 }, b: {} } })
    await written('push_objects', { objects: { a: { x: null, z: [{ deep: [null, true, 0.5] }, 'ä'] } } })
    expect(await held()).toEqual({ a: { y: 1, z: [{ deep: [null, true, 0.5] }, 'ä'] }, b: {} })
    expect(await synced()).toEqual({ insert: await held() })
  })

  test.each([undefined, true, false])('rebuild_md %j leaves the same document', async rebuild_md => {
    verifies(
      'rest.plugin.push-objects.rebuild-md.default',
      'rest.plugin.push-objects.rebuild-md.false',
      'rest.plugin.push-deletes.rebuild-md.default',
      'rest.plugin.push-deletes.rebuild-md.false',
    )

    const rest = rebuild_md === undefined ? {} : { rebuild_md }
    await written('push_objects', { objects: { a: { x: 1 }, b: { x: 1 } }, ...rest })
    expect(await written('push_objects', { objects: { a: { x: 2 } }, ...rest })).toMatchObject({
      changed: 1,
      count: 2,
    })
    expect(await written('push_deletes', { objects: ['b'], ...rest })).toMatchObject({ changed: 1, count: 1 })
    expect(await held()).toEqual({ a: { x: 2 } })
  })

  test('push_deletes removes, and devices drop it', async () => {
    verifies('rest.plugin.push-deletes.deletes', 'rest.plugin.push-deletes.delivered')

    await written('push_objects', { objects: { a: { x: 1 }, b: { x: 1 } } })
    await synced()
    expect(await written('push_deletes', { objects: ['a', 'a', 'unknown', '__proto__'] })).toMatchObject({ count: 1 })
    expect((await synced()).delete).toContain('a')
    expect(await held()).toEqual({ b: { x: 1 } })
  })

  test.each([{ a: {} }, 'a', [1], [['a']], undefined])('push_deletes takes a list of ids, not %j', async objects => {
    expect(await failure(await post('push_deletes', { objects }))).toBe('422 body_invalid')
  })

  test('fast_insert adds, and merges into objects that exist', async () => {
    verifies('rest.plugin.fast-insert.inserts', 'rest.plugin.fast-insert.no-check')

    await written('fast_insert', { objects: { a: { x: 1, y: 1 } } })
    expect(await written('fast_insert', { data: { a: { x: 2 }, b: {} } })).toMatchObject({ changed: 2, count: 2 })
    expect(await held()).toEqual({ a: { x: 2, y: 1 }, b: {} })
    expect(await failure(await post('fast_insert', {}))).toBe('422 body_invalid')
  })

  test('fast_update replaces old attributes with new ones', async () => {
    verifies(
      'rest.plugin.fast-update.replaces',
      'rest.plugin.fast-update.previous-state',
      'rest.plugin.fast-update.appends',
      'rest.plugin.fast-update.removes-attribute',
      'rest.plugin.fast.no-integrity-checks',
    )

    await written('push_objects', { objects: { a: { old: 1, both: 1, kept: 1 } } })
    const delete_data = { a: { old: 'another value', both: 1, never: 1 }, unknown: { x: 1 } }
    await written('fast_update', { delete_data, data: { a: { both: 2, more: 3 }, b: { x: 1 } } })
    expect(await held()).toEqual({ a: { both: 2, kept: 1, more: 3 }, b: { x: 1 } })
  })

  test('an object is removed with its last attribute', async () => {
    verifies('rest.plugin.fast-delete.deletes')

    await written('push_objects', { objects: { a: { x: 1 }, b: { x: 1, y: 1 }, c: { x: 1 } } })
    await synced()
    expect(await written('fast_update', { delete_data: { a: { x: 0 } }, data: {} })).toMatchObject({ count: 2 })
    expect(await written('fast_delete', { data: { b: { x: 1, y: 1 } } })).toMatchObject({ count: 1 })
    expect((await synced()).delete?.toSorted()).toEqual(['a', 'b'])
  })

  test('fast_delete removes the named attributes and keeps the rest', async () => {
    verifies('rest.plugin.fast-delete.partial', 'rest.plugin.fast.delivered')

    await written('push_objects', { objects: { a: { x: 1, y: 1 } } })
    await synced()
    await written('fast_delete', { data: { a: { x: 'another value', never: 1 }, unknown: { x: 1 } } })
    expect(await synced()).toEqual({ insert: { a: { y: 1 } } })
    await written('fast_insert', { objects: { b: { x: 1 } } })
    await written('fast_update', { delete_data: { a: { y: 1 } }, data: { a: { z: 1 } } })
    expect(await synced()).toEqual({ insert: { a: { z: 1 }, b: { x: 1 } } })
  })

  test('more than one batch is written completely', async () => {
    const objects = Object.fromEntries(Array.from({ length: 2100 }, (_, index) => [`id${index}`, { index }]))
    expect(await written('push_objects', { objects })).toEqual({ version: 3, changed: 2100, count: 2100 })
    const data = Object.fromEntries(Object.keys(objects).map(id => [id, { more: 1 }]))
    expect(await written('fast_update', { delete_data: objects, data })).toMatchObject({ changed: 2100, count: 2100 })
    expect(await written('push_deletes', { objects: Object.keys(objects) })).toMatchObject({ changed: 2100, count: 0 })
  })

  test('an app source has one copy for any user_id', async () => {
    for (const user_id of ['*', 'ada', 'nobody', '__shared__']) {
      await post('push_objects', { user_id, objects: { [user_id]: {} } }, 'City')
    }
    expect(Object.keys((await synced('City')).insert ?? {})).toHaveLength(4)
  })

  test('objects are kept for a user who does not exist yet', async () => {
    await post('push_objects', { user_id: 'grace', objects: { a: { x: 1 } } })
    const grace = await on.device('grace')
    const page = await json<Page>(await on.call('GET', '/app/v1/Visit', { headers: grace.headers }))
    expect(page.insert).toEqual({ a: { x: 1 } })
    expect(await synced()).toEqual({})
  })

  test.each([undefined, null, 7, ['ada'], ''])('user_id is a login, not %j', async user_id => {
    expect(await failure(await post('push_objects', { user_id, objects: {} }))).toBe('422 body_invalid')
  })

  test.each(['*', '__shared__'])('user_id %j is refused for a user source', async user_id => {
    for (const operation of ['push_objects', 'fast_insert']) {
      expect(await failure(await post(operation, { user_id, objects: { a: {} } }))).toBe('422 name_reserved')
    }
  })

  test('an unknown source is 404', async () => {
    const bodies = {
      push_objects: { objects: {} },
      push_deletes: { objects: [] },
      fast_insert: { objects: {} },
      fast_update: { delete_data: {}, data: {} },
      fast_delete: { data: {} },
    }
    for (const [operation, body] of Object.entries(bodies)) {
      expect(await failure(await post(operation, body, 'None'))).toBe('404 source_not_found')
      expect(await failure(await post(operation, body, 'constructor'))).toBe('404 source_not_found')
    }
  })

  test.each(['__proto__', 'constructor', ' ', '*', 'a:b', 'a\nb', '🏝', 'x'.repeat(1024)])(
    'the id %j is data',
    async id => {
      const objects = JSON.parse(`{${JSON.stringify(id)}:{"__proto__":1,"toString":"x"}}`) as ObjectMap
      expect(await written('push_objects', { objects })).toMatchObject({ changed: 1, count: 1 })
      expect(JSON.stringify((await synced()).insert)).toBe(JSON.stringify(objects))
      expect(await written('fast_delete', { data: objects })).toMatchObject({ changed: 1, count: 0 })
      expect(await written('push_objects', { objects })).toMatchObject({ changed: 1, count: 1 })
      expect(await written('push_deletes', { objects: [id] })).toMatchObject({ count: 0 })
      expect((await synced()).delete).toEqual([id])
    },
  )

  test.each(['', 'x'.repeat(1025), '🏝'.repeat(257)])(
    'an id of the wrong size is refused, and the rest with it',
    async id => {
      for (const operation of ['push_objects', 'fast_insert']) {
        expect(await failure(await post(operation, { objects: { a: {}, [id]: {} } }))).toBe('422 body_invalid')
      }
      expect(await failure(await post('push_deletes', { objects: ['a', id] }))).toBe('422 body_invalid')
      expect(await failure(await post('fast_update', { delete_data: { [id]: {} }, data: { a: {} } }))).toBe(
        '422 body_invalid',
      )
      expect(await failure(await post('fast_delete', { data: { [id]: {} } }))).toBe('422 body_invalid')
      expect(await held()).toEqual({})
    },
  )
})

test('every change is published once, with its partition, and nothing else is', async () => {
  const on = openServer()
  const headers = await on.as()
  const heard: unknown[] = []
  await on.store.events.subscribe(DEVICE_CHANNEL, event => heard.push(event))
  const push = (source: string, user_id: string) =>
    on.call('POST', `/app/v1/${source}/push_objects`, { headers, body: { user_id, objects: { a: { x: 1 } } } })
  await push('City', '*')
  await push('City', '*')
  await push('Visit', 'ada')
  await push('Visit', 'grace')
  expect(heard).toEqual([
    { kind: 'change', source: 'City', partition: '*' },
    { kind: 'change', source: 'Visit', partition: 'user:ada' },
    { kind: 'change', source: 'Visit', partition: 'user:grace' },
  ])
})

test('counts stay right through any operations', async () => {
  const id = fc.constantFrom('a', 'b', 'c', '__proto__')
  const attributes = fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom(1, 2, null))
  const objects = fc.array(fc.tuple(id, attributes), { maxLength: 3 }).map(pairs => Object.fromEntries(pairs))
  const operation = fc.oneof(
    fc.record({ name: fc.constantFrom('push_objects', 'fast_insert'), body: fc.record({ objects }) }),
    fc.record({ name: fc.constant('push_deletes'), body: fc.record({ objects: fc.array(id, { maxLength: 3 }) }) }),
    fc.record({ name: fc.constant('fast_update'), body: fc.record({ delete_data: objects, data: objects }) }),
    fc.record({ name: fc.constant('fast_delete'), body: fc.record({ data: objects }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async operations => {
      const on = openServer()
      const headers = await on.as()
      for (const { name, body } of operations) {
        const answer = await on.call('POST', `/app/v1/City/${name}`, { headers, body: { user_id: '*', ...body } })
        const { count } = await json<WriteResult>(answer)
        const md = await json<ObjectMap>(await on.call('GET', '/rc/v1/users/*/sources/City/docs/md', { headers }))
        expect(count).toBe(Object.keys(md).length)
      }
    }),
    { numRuns: 40 },
  )
})

test.each([
  [-1, ['pushed']],
  [0, ['queried']],
])('with the poll interval %d a device has %j', async (pollInterval, ids) => {
  const query = () => ({ queried: { x: 1 } })
  const on = openServer({
    sources: [defineSource<Attributes>({ name: 'Polled', partition: 'app', pollInterval, query })],
  })
  const headers = await on.as()
  const { headers: device } = await on.device('ada')
  await on.call('POST', '/app/v1/Polled/push_objects', {
    headers,
    body: { user_id: '*', objects: { pushed: { x: 1 } } },
  })
  const page = await json<Page>(await on.call('GET', '/app/v1/Polled', { headers: device }))
  expect(Object.keys(page.insert ?? {})).toEqual(ids)
})

test('a verification reports a right count and checksum, and logs an error for others', async () => {
  const logged: string[] = []
  const say = (level: string) => (_: object, message: string) => void logged.push(`${level}: ${message}`)
  const log = { error: say('error'), warn: say('warn'), info: say('info'), debug: say('debug') }
  const on = openServer({ log, sources: [City, Visit] })
  const headers = await on.as()
  logged.length = 0
  const body = { user_id: '*', objects: { a: {} }, rebuild_md: true }
  await on.call('POST', '/app/v1/City/push_objects', { headers, body })
  await new Promise(resolve => setTimeout(resolve, 20))
  const { collections } = on.store
  const head = collections.head.bind(collections)
  collections.head = async collection => {
    const real = await head(collection)
    return real && { ...real, checksum: '0000000000000001' }
  }
  await on.call('POST', '/app/v1/City/push_objects', { headers, body })
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(logged).toEqual([
    'info: count and checksum are correct',
    'error: count or checksum of a collection is wrong: restore the collection or run a query',
  ])
})

test('a collection that is dropped meanwhile is not left half written', async () => {
  const on = openServer()
  const headers = await on.as()
  const { collections } = on.store
  const apply = collections.apply.bind(collections)
  let calls = 0
  collections.apply = async (collection, batch, guard) => {
    if (++calls === 2) await collections.drop(collection)
    return apply(collection, batch, guard)
  }
  const objects = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`id${index}`, {}]))
  const answer = await on.call('POST', '/app/v1/City/push_objects', { headers, body: { user_id: '*', objects } })
  expect(await failure(answer)).toBe('409 epoch_changed')
})
