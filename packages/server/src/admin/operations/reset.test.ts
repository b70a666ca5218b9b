import type { Attributes, ObjectMap, Page } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { verifies } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { ADMIN, City, failure, json, openServer, Visit } from '../../testing/open-server.js'

const users = [{ login: 'ada', password: 'ada' }]
const path = '/rc/v1/system/reset'

describe('a reset', () => {
  test('takes an empty object, clears the database and needs no restart', async () => {
    verifies('rest.system.reset.body', 'rest.system.reset.flushes', 'rest.system.reset.bootstraps')

    const on = openServer({
      ...{ users, resetAllowed: true, backend: { secret: 'sixteen characters' } },
      resolveName: async () => ['93.184.216.34'],
    })
    const headers = await on.as()
    const grace = await on.device('grace')
    await on.call('POST', '/rc/v1/store/motd', { headers, body: { data: 'hello' } })
    await on.call('PUT', '/rc/v1/sources/City', { headers, body: { data: { poll_interval: 7 } } })
    await on.call('POST', '/rc/v1/system/appserver', { headers, body: { adapter_url: 'https://backend.example' } })
    await on.call('POST', '/app/v1/City/push_objects', { headers, body: { user_id: '*', objects: { a: { n: 1 } } } })
    await on.call('DELETE', '/rc/v1/users/ada', { headers })

    const answer = await on.call('POST', path, { headers, body: {} })
    expect([answer.status, await answer.json()]).toEqual([200, {}])

    const read = async (what: string) => json<unknown>(await on.call('GET', what, { headers }))
    expect(await read('/rc/v1/users')).toEqual(['ada'])
    expect(await read('/rc/v1/clients')).toEqual([])
    expect(await read('/rc/v1/system/appserver')).toEqual({ adapter_url: null })
    expect(await read('/rc/v1/sources/City')).toMatchObject({ poll_interval: -1 })
    expect(await read('/rc/v1/users/*/sources/City/docs/md')).toEqual({})
    expect(await failure(await on.call('GET', '/rc/v1/store/motd', { headers }))).toBe('404 document_not_found')
    expect(await failure(await on.call('GET', '/app/v1/City', { headers: grace.headers }))).toBe('401 session_missing')
    const login = await on.call('POST', '/rc/v1/app/login', { body: { login: 'ada', password: 'ada' } })
    expect(login.status).toBe(200)
  })

  test('keeps the token of the caller and the password of the admin, and no other token', async () => {
    const on = openServer({ resetAllowed: true })
    const [mine, other] = [await on.as(), await on.as()]
    const operator = { attributes: { login: 'olga', password: 'a long one' }, role: 'operator' }
    await on.call('POST', '/rc/v1/users', { headers: mine, body: operator })
    const hers = await on.as('olga', 'a long one')
    expect((await on.call('POST', path, { headers: mine })).status).toBe(200)
    const status = async (headers: Record<string, string>) => (await on.call('GET', '/rc/v1/users', { headers })).status
    expect([await status(mine), await status(other), await status(hers)]).toEqual([200, 401, 401])
    expect(await status(await on.as(ADMIN.login, ADMIN.password))).toBe(200)
  })

  test('drops jobs with metrics', async () => {
    const on = openServer({ resetAllowed: true, limits: { jobConcurrency: 0 } })
    const headers = await on.as()
    const jobs = async () => json<object[]>(await on.call('GET', '/rc/v1/system/jobs', { headers }))
    const metrics = async () =>
      json<string[]>(await on.call('GET', '/rc/v1/system/stats?names=*users/ping', { headers }))
    await on.call('POST', '/rc/v1/users/ping', { headers, body: { user_id: 'ada', async: true } })
    expect([await jobs(), await metrics()]).toEqual([[expect.anything()], ['http:POST:/rc/v1/users/ping']])
    await on.call('POST', path, { headers, body: {} })
    expect(await jobs()).toEqual([])
    const query = new URLSearchParams({ metric: 'http:POST:/rc/v1/users/ping' })
    expect(await json(await on.call('GET', `/rc/v1/system/stats?${query}`, { headers }))).toEqual([])
  })

  test('drops metrics, written or not', async () => {
    const on = openServer({ resetAllowed: true })
    const headers = await on.as()
    const count = async () => {
      const query = new URLSearchParams({ metric: 'http:GET:/rc/v1/users' })
      return json<object[]>(await on.call('GET', `/rc/v1/system/stats?${query}`, { headers }))
    }
    await on.call('GET', '/rc/v1/users', { headers })
    expect(await count()).toHaveLength(1)
    await on.call('GET', '/rc/v1/users', { headers })
    await on.call('POST', path, { headers, body: {} })
    expect(await count()).toEqual([])
  })

  test('gives collections new epochs, so that devices start over', async () => {
    const on = openServer({ users, resetAllowed: true })
    const headers = await on.as()
    const objects = { a: { n: 1 } }
    const push = () => on.call('POST', '/app/v1/City/push_objects', { headers, body: { user_id: '*', objects } })
    await push()
    const before = await json<Page>(
      await on.call('GET', '/app/v1/City', { headers: (await on.device('grace')).headers }),
    )
    await on.call('POST', path, { headers, body: {} })
    await push()
    const after = await json<Page>(
      await on.call('GET', `/app/v1/City?token=${encodeURIComponent(before.token)}`, {
        headers: (await on.device('grace')).headers,
      }),
    )
    expect(after).toMatchObject({ status: 'resync', insert: objects })
    expect(after.epoch).not.toBe(before.epoch)
  })

  test('running work writes nothing afterwards', async () => {
    let answerQuery = (_objects: ObjectMap): void => {}
    const late = new Promise<ObjectMap>(resolve => {
      answerQuery = resolve
    })
    let asked = () => {}
    const isAsked = new Promise<void>(resolve => {
      asked = resolve
    })
    const Slow = defineSource<Attributes>({
      name: 'Slow',
      partition: 'app',
      pollInterval: 0,
      query() {
        asked()
        return late
      },
    })
    const on = openServer({ sources: [City, Visit, Slow], resetAllowed: true })
    const headers = await on.as()
    const ada = await on.device('ada')
    const pull = on.call('GET', '/app/v1/Slow', { headers: ada.headers }).catch(() => {})
    await isAsked
    const reset = on.call('POST', path, { headers, body: {} })
    setTimeout(() => answerQuery({ a: { n: 1 } }), 50)
    expect((await reset).status).toBe(200)
    await pull
    expect((await on.store.collections.head({ source: 'Slow', partition: '*' }))?.count ?? 0).toBe(0)
  })

  test('is refused where it is switched off, and nothing is changed', async () => {
    const on = openServer({ users })
    const headers = await on.as()
    expect(await failure(await on.call('POST', path, { headers, body: {} }))).toBe('403 reset_disabled')
    expect(await json(await on.call('GET', '/rc/v1/users', { headers }))).toEqual(['ada'])
  })
})
