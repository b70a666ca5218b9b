import type { Attributes, Explanation, Page } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import type { Store } from '@godwit/store'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { City, EDGES, failure, json, type TestServer, Visit } from '../../../testing/open-server.js'
import { undecidedChanges } from './undecided-changes.js'

describe.each(EDGES)('an explanation, %s', (_, open) => {
  let on: TestServer
  let headers: Record<string, string>
  let ada: Awaited<ReturnType<TestServer['device']>>
  let fails: boolean
  beforeEach(async () => {
    tokens.clear()
    fails = false
    const Asked = defineSource<Attributes>({
      name: 'Asked',
      pollInterval: 0,
      query: () => {
        if (fails) throw new Error('the backend sleeps')
        return { here: { x: 1 } }
      },
      create: () => {
        throw new Error('who knows')
      },
    })
    on = await open({ sources: [City, Visit, Asked], limits: { positionInterval: 0 } })
    headers = await on.as()
    ada = await on.device('ada')
  })
  afterEach(() => on.server.close())

  const ask = (question: Record<string, string>) =>
    on.call('GET', `/rc/v1/explain?${new URLSearchParams(question)}`, { headers })
  const explain = async (object: string, { source = 'Visit', user = 'ada', client = ada.client } = {}) => {
    const { on_device, findings } = await json<Explanation>(
      await ask({ source, user, object, ...(client !== '' && { client }) }),
    )
    return [on_device, ...findings.map(({ code }) => code)]
  }
  const tokens = new Map<string, string>()
  const askPage = async (source: string, token = '') =>
    json<Page>(await on.call('GET', `/app/v1/${source}?token=${token}`, { headers: ada.headers }))
  /** Pulls twice: a page is confirmed when the device returns its token. */
  const pull = async (source = 'Visit') => {
    const first = await askPage(source, tokens.get(source))
    const second = await askPage(source, first.token)
    tokens.set(source, second.token)
    return second
  }
  const push = (route: string, objects: unknown) =>
    on.call('POST', `/app/v1/Visit/${route}`, { headers, body: { user_id: 'ada', objects } })

  test('says why an object is on a device', async () => {
    await push('push_objects', { a: { x: 1 } })
    expect(await explain('a')).toEqual(['next_pull', 'partition', 'no_query', 'object_present', 'client_never_pulled'])
    await pull()
    expect(await explain('a')).toEqual(['yes', 'partition', 'no_query', 'object_present', 'client_has_it'])
    await push('push_objects', { a: { x: 2 } })
    expect(await explain('a')).toEqual(['next_pull', 'partition', 'no_query', 'object_present', 'client_behind'])
    const sent = await askPage('Visit', tokens.get('Visit'))
    expect(await explain('a')).toEqual(['delivered', 'partition', 'no_query', 'object_present', 'client_was_sent'])
    tokens.set('Visit', sent.token)
    await push('push_objects', { a: { x: 3 } })
    const findings = ['partition', 'no_query', 'object_present', 'client_behind']
    expect(await explain('a', { client: '' })).toEqual(['next_pull', ...findings])
    await pull()
    expect(await explain('a', { client: '' })).toEqual(['yes', ...findings.slice(0, 3), 'client_has_it'])
    const second = await on.device('ada')
    const both = (await explain('a', { client: '' })).slice(-2).sort()
    expect([second.client, ...both]).toEqual([expect.any(String), 'client_has_it', 'client_never_pulled'])
    expect((await explain('a', { client: '' }))[0]).toBe('next_pull')
    await push('push_deletes', ['a'])
    expect(await explain('a')).toEqual(['until_next_pull', 'partition', 'no_query', 'object_removed', 'client_behind'])
  })

  test('says why an object is not on a device', async () => {
    expect(await explain('a', { user: 'nobody', client: '' })).toEqual(['no', 'user_unknown'])
    expect(await explain('a', { source: 'None', client: '' })).toEqual(['no', 'source_unknown'])
    expect(await explain('a')).toEqual(['no', 'partition', 'never_opened', 'object_unknown', 'client_never_pulled'])
    await push('push_objects', { a: {} })
    expect(await explain('a', { client: 'nobody' })).toEqual([
      'no',
      'partition',
      'no_query',
      'object_present',
      'client_unknown',
    ])
    const { client } = await on.device('grace')
    expect(await explain('a', { client })).toContain('client_of_another_user')
    fails = true
    await pull('Asked')
    expect(await explain('here', { source: 'Asked' })).toEqual([
      'no',
      'partition',
      'never_queried',
      'query_failed',
      'query_due',
      'object_unknown',
      'client_behind',
    ])
    fails = false
    await pull('Asked')
    expect(await explain('gone', { source: 'Asked' })).toEqual([
      'no',
      'partition',
      'queried',
      'query_due',
      'object_unknown',
      'client_has_not',
    ])
  })

  test('says that a pull brought the object before the device confirms it, also from zero', async () => {
    await push('push_objects', { a: {} })
    await askPage('Visit')
    expect(await explain('a')).toEqual(['delivered', 'partition', 'no_query', 'object_present', 'client_was_sent'])
    expect((await explain('nothing')).slice(-1)).toEqual(['client_has_not'])
  })

  test('has no device to speak of where a user has none', async () => {
    const { client } = await on.device('grace')
    await on.call('DELETE', `/rc/v1/users/grace/clients/${client}`, { headers })
    await on.call('POST', '/app/v1/Visit/push_objects', { headers, body: { user_id: 'grace', objects: { a: {} } } })
    expect(await explain('a', { user: 'grace', client: '' })).toEqual([
      'no',
      'partition',
      'no_query',
      'object_present',
      'client_none',
    ])
    expect(await explain('a', { user: '*', client: '' })).toEqual(['no', 'user_missing'])
  })

  test('of an object that was made and removed since the last pull never calls it present', async () => {
    await pull()
    await push('push_objects', { a: {} })
    await push('push_deletes', ['a'])
    expect(await explain('a')).toEqual(['no', 'partition', 'no_query', 'object_removed', 'client_has_not'])
  })

  test('promises no pull to a locked user, and none of a source that comes by files', async () => {
    await push('push_objects', { a: {} })
    await on.store.registry.merge('user', 'ada', { locked: true })
    expect(await explain('a')).toEqual([
      'no',
      'user_locked',
      'partition',
      'no_query',
      'object_present',
      'client_never_pulled',
    ])
    await on.store.registry.merge('user', 'ada', { locked: null })
    await on.call('PUT', '/rc/v1/sources/Visit', { headers, body: { data: { sync_type: 'bulk_only' } } })
    expect(await explain('a')).toEqual(['next_file', 'bulk_only', 'partition', 'no_query', 'object_present'])
    expect((await explain('never'))[0]).toBe('no')
  })

  test('finds an object by the text of an attribute', async () => {
    await push('push_objects', { a: { note: 'Bring the ladder' }, b: { note: 'the LADDER again' }, c: { note: 'x' } })
    await pull()
    const by = async (contains: string) =>
      json<Explanation>(await ask({ source: 'Visit', user: 'ada', client: ada.client, contains }))
    expect(await by('bring the')).toMatchObject({ on_device: 'yes', object: 'a' })
    const { object, findings } = await by('ladder')
    expect([object, findings[0]]).toEqual([
      'a',
      { code: 'text_found', message: '"ladder" was found in object a, and in b.' },
    ])
    const none = await by('nowhere')
    expect([none.on_device, none.object, none.findings.map(({ code }) => code)]).toEqual([
      'no',
      null,
      ['text_not_found'],
    ])
    expect(none.findings[0]?.message).toContain('the 3 objects')
    const both = { source: 'Visit', user: 'ada', object: 'a', contains: 'x' }
    expect(await failure(await ask(both))).toBe('422 body_invalid')
  })

  test('lists undecided changes', async () => {
    const { epoch } = await pull('Asked')
    const mutation = { number: 1, key: 'key-1-0123456789', operation: 'create', object: 'tmp', attributes: {} }
    const body = { epoch, acknowledged: 0, mutations: [mutation] }
    await on.call('POST', '/app/v1/Asked', { headers: ada.headers, body })
    expect(await explain('tmp', { source: 'Asked' })).toEqual([
      'yes',
      'partition',
      'queried',
      'query_requested',
      'object_unknown',
      'mutation_in_doubt',
      'client_made_it',
    ])
  })

  test('finds an undecided change behind large ones', async () => {
    const store = {
      ...on.store,
      journal: {
        ...on.store.journal,
        undecided: (page: Parameters<Store['journal']['undecided']>[0]) =>
          on.store.journal.undecided({ ...page, limit: 1 }),
      },
    }
    const { epoch } = await pull('Asked')
    const create = { operation: 'create', attributes: {} }
    const mutations = [1, 2, 3].map(number => ({
      number,
      key: `key-${number}-0123456789`,
      object: `t${number}`,
      ...create,
    }))
    await on.call('POST', '/app/v1/Asked', { headers: ada.headers, body: { epoch, acknowledged: 0, mutations } })
    const collection = { source: 'Asked', partition: 'user:ada' }
    expect((await undecidedChanges(store, collection, 't3')).map(({ number }) => number)).toEqual([3])
  })

  test('has readable sentences, with hostile names too', async () => {
    for (const object of ['__proto__', 'constructor', 'a/b', '*', 'ä\n']) expect((await explain(object))[0]).toBe('no')
    const { findings } = await json<Explanation>(await ask({ source: 'City', user: '*', object: 'x' }))
    for (const { message } of findings) expect(message).toMatch(/\.$/)
    expect(await failure(await ask({ source: 'City', user: 'ada' }))).toBe('422 body_invalid')
  })
})
