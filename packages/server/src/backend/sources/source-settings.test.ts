import type { Attributes, Page, SourceInfo } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { City, EDGES, failure, json, openServer, type TestServer, Visit } from '../../testing/open-server.js'

const Stop = defineSource<Attributes>({
  name: 'Stop',
  partition: 'app',
  pollInterval: -1,
  syncPriority: 1,
  queue: 'slow',
  belongsTo: { city: 'City' },
})
const Plain = defineSource<Attributes>({ name: 'Plain' })

describe.each(EDGES)('settings of sources, %s', (_, open) => {
  let on: TestServer
  let headers: Record<string, string>
  beforeEach(async () => {
    on = await open({ sources: [Visit, Stop, City, Plain] })
    headers = await on.as()
  })
  afterEach(() => on.server.close())

  const list = (type: string) => on.call('GET', `/rc/v1/sources/type/${type}`, { headers })
  const get = (name: string) => on.call('GET', `/rc/v1/sources/${encodeURIComponent(name)}`, { headers })
  const put = (name: string, body: unknown) =>
    on.call('PUT', `/rc/v1/sources/${encodeURIComponent(name)}`, { headers, body })

  test('are listed by type and priority', async () => {
    verifies('rest.sources.list.app', 'rest.sources.list.user')

    expect(await json(await list('app'))).toEqual(['Stop', 'City'])
    expect(await json(await list('user'))).toEqual(['Plain', 'Visit'])
    await put('Visit', { data: { sync_priority: 3 } })
    expect(await json(await list('user'))).toEqual(['Visit', 'Plain'])
  })

  test.each(['App', '*', '__proto__'])('are of no other type: %s', async type => {
    expect(await failure(await list(type))).toBe('422 value_not_allowed')
  })

  test('are read whole', async () => {
    verifies('rest.sources.read')

    expect(await json(await get('Plain'))).toEqual({
      name: 'Plain',
      poll_interval: 300,
      partition_type: 'user',
      sync_type: 'incremental',
      queue: null,
      query_queue: null,
      cud_queue: null,
      sync_priority: 1000,
      retry_limit: 0,
      pass_through: false,
      push_notify: false,
      belongs_to: null,
    })
    expect(await json(await get('Stop'))).toMatchObject({ queue: 'slow', belongs_to: { city: 'City' } })
  })

  test('are written', async () => {
    verifies('rest.sources.update')

    const body = { attributes: { login: 'olga', password: 'hers' }, role: 'operator' }
    await on.call('POST', '/rc/v1/users', { headers, body })
    headers = await on.as('olga', 'hers')
    const data = {
      poll_interval: 0,
      sync_type: 'bulk_only',
      queue: null,
      query_queue: 'q',
      cud_queue: 'c',
      sync_priority: 5,
      retry_limit: 2,
      push_notify: true,
    }
    const answer = await put('Stop', { data })
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    expect(await json(await get('Stop'))).toMatchObject({ ...data, belongs_to: { city: 'City' } })
    await put('Stop', { data: { retry_limit: 3 } })
    expect(await json(await get('Stop'))).toMatchObject({ ...data, retry_limit: 3 })
  })

  test.each([
    { poll_interval: -2 },
    { poll_interval: 1.5 },
    { poll_interval: '60' },
    { poll_interval: null },
    { sync_type: 'other' },
    { queue: '' },
    { sync_priority: 0 },
    { retry_limit: -1 },
    { push_notify: 1 },
    { name: 'Other' },
    { poll_interval: 60, partition_type: 'app' },
    { ['__proto__x']: 1 },
  ])('are not %j', async data => {
    const before = await json<SourceInfo>(await get('Plain'))
    expect(await failure(await put('Plain', { data }))).toBe('422 body_invalid')
    expect(await json(await get('Plain'))).toEqual(before)
  })

  test('are refused by name when one may not be set', async () => {
    const answer = await put('Plain', { data: { poll_interval: 60, partition_type: 'app' } })
    const { code, errors } = await json<{ code: string; errors: { path: string; message: string }[] }>(answer)
    expect([answer.status, code]).toEqual([422, 'body_invalid'])
    expect(errors).toMatchObject([{ path: expect.stringContaining('partition_type') }])
    const allowed = 'poll_interval sync_type queue query_queue cud_queue sync_priority retry_limit push_notify'
    for (const name of allowed.split(' ')) expect(errors[0]?.message).toContain(name)
    expect(await json(await get('Plain'))).toMatchObject({ poll_interval: 300, partition_type: 'user' })
  })

  test('are refused without data, an existing source and an existing user', async () => {
    expect(await failure(await put('Plain', {}))).toBe('422 body_invalid')
    expect(await failure(await put('None', { data: {} }))).toBe('404 source_not_found')
    expect(await failure(await get('__proto__'))).toBe('404 source_not_found')
    const unknown = await put('Plain', { user_name: 'nobody', data: { poll_interval: 5 } })
    expect(await failure(unknown)).toBe('404 user_not_found')
    expect(await json(await get('Plain'))).toMatchObject({ poll_interval: 300 })
  })
})

describe('written settings', () => {
  const counted = () => {
    const asked: string[] = []
    const Counted = defineSource<Attributes>({
      name: 'Counted',
      pollInterval: 3600,
      queue: 'slow',
      query: ({ user }) => {
        asked.push(user)
        return {}
      },
    })
    return { asked, Counted }
  }

  test('take effect at once, due times included', async () => {
    let now = 1_700_000_000_000
    const { asked, Counted } = counted()
    const on = openServer({ sources: [Counted], clock: () => now })
    const headers = await on.as()
    const ada = await on.device('ada')
    const pull = () => on.call('GET', '/app/v1/Counted', { headers: ada.headers })
    const put = (data: object) => on.call('PUT', '/rc/v1/sources/Counted', { headers, body: { data } })
    await pull()
    now += 20_000
    await pull()
    expect(asked).toHaveLength(1)
    await put({ poll_interval: 10 })
    await pull()
    expect(asked).toHaveLength(2)
    await put({ poll_interval: -1 })
    now += 20_000
    await pull()
    expect(asked).toHaveLength(2)
    await put({ poll_interval: 0 })
    await pull()
    expect(asked).toHaveLength(3)
    await put({ sync_type: 'bulk_only' })
    expect(await failure(await pull())).toBe('409 bulk_only')
  })

  test('count a new interval from now if the last query seems to be in the future', async () => {
    let now = 1_700_000_000_000
    const { asked, Counted } = counted()
    const on = openServer({ sources: [Counted], clock: () => now })
    const headers = await on.as()
    const ada = await on.device('ada')
    const pull = () => on.call('GET', '/app/v1/Counted', { headers: ada.headers })
    await pull()
    // The clock was an hour ahead, and is right again.
    now -= 3_600_000
    await on.call('PUT', '/rc/v1/sources/Counted', { headers, body: { data: { poll_interval: 10 } } })
    now += 10_000
    await pull()
    expect(asked).toHaveLength(2)
  })

  test.each([
    [3600, -1, 86_400, 1],
    [3600, 10, 10, 2],
    [-1, 10, 10, 2],
    [10, 3600, 3600, 2],
  ])('from %d to %d apply to a running query, too', async (pollInterval, poll_interval, seconds, calls) => {
    let now = 1_700_000_000_000
    let asked = 0
    const Slow = defineSource<Attributes>({
      name: 'Slow',
      pollInterval,
      query: async () => {
        asked++
        if (asked === 1) await on.call('PUT', '/rc/v1/sources/Slow', { headers, body: { data: { poll_interval } } })
        return {}
      },
    })
    const on = openServer({ sources: [Slow], clock: () => now })
    const headers = await on.as()
    const ada = await on.device('ada')
    const pull = () => on.call('GET', '/app/v1/Slow', { headers: ada.headers })
    await on.call('PUT', '/rc/v1/readstate/users/ada/sources/Slow', { headers, body: {} })
    await pull()
    now += seconds * 1000
    await pull()
    await pull()
    expect(asked).toBe(calls)
  })

  test('apply to all users, and make no partition due', async () => {
    const { asked, Counted } = counted()
    const on = openServer({ sources: [Counted] })
    const headers = await on.as()
    const [ada, grace] = [await on.device('ada'), await on.device('grace')]
    const pull = (device: typeof ada) => on.call('GET', '/app/v1/Counted', { headers: device.headers })
    await pull(ada)
    await pull(grace)
    await on.call('PUT', '/rc/v1/sources/Counted', { headers, body: { user_name: 'ada', data: { sync_priority: 7 } } })
    await pull(ada)
    await pull(grace)
    expect(asked).toEqual(['ada', 'grace'])
    expect(await json(await on.call('GET', '/rc/v1/sources/Counted', { headers }))).toMatchObject({ sync_priority: 7 })
  })

  test('keep pushed objects at -1, and at another interval until it is over', async () => {
    let now = 1_700_000_000_000
    let asked = 0
    const query = () => {
      asked++
      return {}
    }
    const Pushed = defineSource<Attributes>({ name: 'Pushed', pollInterval: -1, query })
    const on = openServer({ sources: [Pushed], clock: () => now })
    const headers = await on.as()
    const ada = await on.device('ada')
    const objects = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(id => [id, {}]))
    await on.call('POST', '/app/v1/Pushed/push_objects', { headers, body: { user_id: 'ada', objects } })
    const count = async () => {
      const page = await json<Page>(await on.call('GET', '/app/v1/Pushed', { headers: ada.headers }))
      return page.total_count
    }
    const put = (data: object) => on.call('PUT', '/rc/v1/sources/Pushed', { headers, body: { user_name: 'ada', data } })
    await put({ poll_interval: -1 })
    await put({ sync_priority: 3 })
    expect([await count(), asked]).toEqual([5, 0])
    await put({ poll_interval: 60 })
    expect([await count(), asked]).toEqual([5, 0])
    now += 60_000
    expect([await count(), asked]).toEqual([0, 1])
    await put({ poll_interval: -1 })
    now += 86_400_000
    await count()
    expect(asked).toBe(1)
    await put({ poll_interval: 0 })
    await count()
    expect(asked).toBe(2)
  })

  test('survive a restart, also after they are unset', async () => {
    const { Counted } = counted()
    const first = openServer({ sources: [Counted] })
    const body = { data: { poll_interval: 7, queue: null } }
    await first.call('PUT', '/rc/v1/sources/Counted', { headers: await first.as(), body })
    await first.server.close()
    const second = openServer({ sources: [Counted], store: first.store })
    const answer = await second.call('GET', '/rc/v1/sources/Counted', { headers: await second.as() })
    expect(await answer.json()).toMatchObject({ poll_interval: 7, queue: null })
  })

  test('apply on other processes with the next sweep, as a reset and new sources do', async () => {
    const { Counted } = counted()
    const options = { sources: [Counted], dynamicSources: true, resetAllowed: true, limits: { sweepInterval: 0.005 } }
    const here = openServer(options)
    const there = openServer({ ...options, store: here.store })
    const headers = await here.as()
    const shown = async () => {
      const read = (name: string) => there.call('GET', `/rc/v1/sources/${name}`, { headers })
      const { poll_interval } = await json<SourceInfo>(await read('Counted'))
      return [poll_interval, (await read('Learnt')).status]
    }
    const becomes = async (expected: readonly number[]) => {
      while (JSON.stringify(await shown()) !== JSON.stringify(expected))
        await new Promise(resolve => setTimeout(resolve, 2))
    }
    await becomes([3600, 404])
    await here.call('PUT', '/rc/v1/sources/Counted', { headers, body: { data: { poll_interval: 7 } } })
    await here.call('POST', '/app/v1/Learnt/push_objects', { headers, body: { user_id: 'ada', objects: {} } })
    await becomes([7, 200])
    expect((await here.call('POST', '/rc/v1/system/reset', { headers, body: {} })).status).toBe(200)
    await becomes([3600, 404])
    await here.server.close()
    await there.server.close()
  })
})
