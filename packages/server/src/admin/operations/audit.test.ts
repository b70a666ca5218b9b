import type { AuditEntry } from '@godwit/protocol'
import { openMemoryStore } from '@godwit/store'
import { describe, expect, test } from '@jest/globals'
import { ADMIN, failure, json, openListening, openServer, type TestServer } from '../../testing/open-server.js'
import { checkChain } from '../audit/chain.js'

const NOW = Date.parse('2026-01-01T00:00:00Z')

async function reader(on: TestServer, headers?: Record<string, string>) {
  const admin = headers ?? (await on.as())
  const list = async (query = '') =>
    json<AuditEntry[]>(await on.call('GET', `/rc/v1/audit${query}`, { headers: admin }))
  /** Action, target and result, oldest first. */
  const told = async () =>
    (await list()).reverse().map(({ login, action, about, result }) => ({ login, action, about, result }))
  return { admin, list, told }
}

describe('the audit', () => {
  test('lists who changed what, when, from where, and how it went', async () => {
    const on = openServer({ clock: () => NOW, trustProxy: true })
    const { admin, list } = await reader(on)
    const headers = { ...admin, 'x-forwarded-for': '203.0.113.7' }
    const attributes = { login: 'ada', password: 'a secret password', team: 'a secret team' }
    await on.call('POST', '/rc/v1/users', { headers, body: { attributes } })
    await on.call('POST', '/rc/v1/users', { headers, body: { attributes } })
    const [second, first] = await list()
    const entry = {
      time: '2026-01-01T00:00:00.000Z',
      login: 'admin',
      role: 'admin',
      action: 'users.create',
      about: { user_id: 'ada', role: 'device', attributes: ['login', 'password', 'team'] },
      address: '203.0.113.7',
    }
    expect(first).toMatchObject({ ...entry, number: 2, result: 'ok' })
    expect(second).toMatchObject({ ...entry, number: 3, result: 'user_exists' })
  })

  test('records actions and targets, and neither secrets nor contents', async () => {
    const on = openServer({
      resolveName: async () => ['93.184.216.34'],
      backend: { secret: 'sixteen characters' },
    })
    const { admin: headers, told, list } = await reader(on)
    await on.device('ada')
    const call = (method: string, path: string, body?: unknown) => on.call(method, path, { headers, body })
    const before = (await list()).length
    const hidden = { data: { secret: { value: 'secret' } } }
    await call('PUT', '/rc/v1/users/ada', { attributes: { password: 'secret', plan: 'secret' } })
    await call('POST', '/rc/v1/users/ada/sources/Visit/docs/md', hidden)
    await call('POST', '/rc/v1/store/motd', { data: 'secret', append: true })
    await call('PUT', '/rc/v1/sources/City', { data: { poll_interval: 9 } })
    await call('POST', '/rc/v1/system/appserver', { adapter_url: 'https://backend.example/secret' })
    await call('PUT', '/rc/v1/readstate/users/ada/sources/Visit', { refresh_time: 5 })
    await call('DELETE', '/rc/v1/users/nobody')
    await call('PUT', '/rc/v1/users/ada', { attributes: 7 })
    expect((await told()).slice(before)).toEqual(
      [
        { action: 'users.update', about: { user_id: 'ada', attributes: ['password', 'plan'] } },
        { action: 'users.writeDocument', about: { user_id: 'ada', source_id: 'Visit', doc: 'md', append: false } },
        { action: 'store.write', about: { doc: 'motd', append: true } },
        { action: 'sources.update', about: { source_id: 'City', data: { poll_interval: 9 } } },
        { action: 'system.writeAppServer', about: { adapter_url: 'https://backend.example' } },
        { action: 'readState.set', about: { user_id: 'ada', source_id: 'Visit', refresh_time: 5 } },
        { action: 'users.delete', about: { user_id: 'nobody' }, result: 'user_not_found' },
        { action: 'users.update', about: { user_id: 'ada' }, result: 'body_invalid' },
      ].map(entry => ({ login: 'admin', result: 'ok', ...entry })),
    )
    expect(JSON.stringify(await on.store.audit.list({ limit: 99 }))).not.toContain('secret')
  })

  test('records what a role was refused', async () => {
    const on = openServer()
    const { admin, list } = await reader(on)
    const body = { attributes: { login: 'olga', password: 'a long one' }, role: 'operator' }
    await on.call('POST', '/rc/v1/users', { headers: admin, body })
    const headers = await on.as('olga', 'a long one')
    await on.call('DELETE', '/rc/v1/users/ada', { headers })
    expect((await list())[0]).toMatchObject({
      login: 'olga',
      role: 'operator',
      action: 'users.delete',
      about: { user_id: 'ada' },
      result: 'role_insufficient',
    })
  })

  test('records logins of API users on every route, and no text of an unknown login', async () => {
    const on = openServer()
    const { told } = await reader(on)
    await on.device('ada')
    const before = (await told()).length
    const knock = (path: string, login: string, password: string) =>
      on.call('POST', `/rc/v1/${path}/login`, { body: { login, password } })
    await knock('system', ADMIN.login, 'wrong')
    await knock('system', 'my password, typed too early', 'wrong')
    await knock('system', 'ada', 'secret')
    await knock('app', ADMIN.login, 'wrong')
    await knock('app', ADMIN.login, ADMIN.password)
    await knock('app', 'ada', 'wrong')
    await knock('app', 'ada', 'secret')
    const entries = (await told()).slice(before)
    expect(entries.map(({ action, login, result }) => `${action} ${login} ${result}`)).toEqual([
      'system.login admin invalid_credentials',
      'system.login null invalid_credentials',
      'system.login ada not_an_api_user',
      'device.login admin invalid_credentials',
      'device.login admin not_a_device_user',
    ])
  })

  test('is not filled by throttled attempts', async () => {
    const on = openServer()
    const { list } = await reader(on)
    const attempts: string[] = []
    for (let count = 0; count < 12; count++) {
      const body = { login: ADMIN.login, password: 'wrong' }
      attempts.push(await failure(await on.call('POST', '/rc/v1/system/login', { body })))
    }
    const looked = attempts.filter(result => result === '401 invalid_credentials').length
    expect(looked).toBeLessThan(12)
    expect((await list()).filter(({ result }) => result === 'invalid_credentials')).toHaveLength(looked)
  })

  test('does not record reads, pushes of backends, pings and devices', async () => {
    const on = openServer()
    const { admin: headers, list } = await reader(on)
    const { headers: device } = await on.device('ada')
    const before = (await list()).length
    await on.call('GET', '/rc/v1/users', { headers })
    await on.call('POST', '/app/v1/City/push_objects', { headers, body: { user_id: '*', objects: { a: { n: 1 } } } })
    await on.call('POST', '/rc/v1/users/ping', { headers, body: { user_id: ['ada'], sources: ['City'] } })
    await on.call('GET', '/app/v1/City', { headers: device })
    await on.call('POST', '/app/v1/City', { headers: device, body: { epoch: 'x', acknowledged: 0, mutations: [] } })
    expect(await list()).toHaveLength(before)
  })

  test('is read by admins only, page by page', async () => {
    const on = openServer({ resetAllowed: true })
    const { admin, list } = await reader(on)
    const body = { attributes: { login: 'olga', password: 'a long one' }, role: 'operator' }
    await on.call('POST', '/rc/v1/users', { headers: admin, body })
    const headers = await on.as('olga', 'a long one')
    const refused = [
      on.call('GET', '/rc/v1/audit', { headers }),
      on.call('GET', '/rc/v1/audit/check', { headers }),
      on.call('POST', '/rc/v1/users', { headers, body }),
      on.call('DELETE', '/rc/v1/users/olga', { headers }),
      on.call('POST', '/rc/v1/system/reset', { headers }),
    ]
    for (const answer of refused) expect(await failure(await answer)).toBe('403 role_insufficient')
    const numbers = async (query: string) => (await list(query)).map(({ number }) => number)
    const newest = (await numbers('?limit=1'))[0] ?? 0
    expect(newest).toBeGreaterThan(4)
    expect(await numbers(`?before=${newest}&limit=2`)).toEqual([newest - 1, newest - 2])
    expect(await numbers('?before=1')).toEqual([])
  })

  test('survives and records a reset', async () => {
    const on = openServer({ resetAllowed: true })
    const { admin: headers, list } = await reader(on)
    const body = { attributes: { login: 'olga', password: 'a long one' }, role: 'operator' }
    await on.call('POST', '/rc/v1/users', { headers, body })
    const before = await list()
    await on.call('POST', '/rc/v1/system/reset', { headers, body: {} })
    const [newest, ...older] = await list()
    expect(newest).toMatchObject({ login: 'admin', action: 'system.reset', result: 'ok' })
    expect(older).toEqual(before)
    expect(await on.as(ADMIN.login, ADMIN.password)).toMatchObject({})
    expect(await checkChain(on.store.audit)).toMatchObject({ intact: true })
  })

  test('has an entry for each of many concurrent calls, on several processes', async () => {
    const store = openMemoryStore()
    const servers = [await openListening({ store }), await openListening({ store })]
    const { admin: headers, list } = await reader(servers[0] as TestServer)
    const create = (on: TestServer, login: string) =>
      on.call('POST', '/rc/v1/users', { headers, body: { attributes: { login, password: 'a long one' } } })
    const logins = Array.from({ length: 20 }, (_, index) => `user ${index}`)
    await Promise.all(logins.map((login, index) => create(servers[index % 2] as TestServer, login)))
    const entries = await list()
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => entries.length - index))
    const created = entries.filter(({ action }) => action === 'users.create').map(({ about }) => about['user_id'])
    expect(created.sort()).toEqual([...logins].sort())
    expect(await checkChain(store.audit)).toMatchObject({ intact: true, checked: entries.length })
    for (const { server } of servers) await server.close()
  })

  test('is written before the answer: a call that cannot be recorded fails', async () => {
    const store = openMemoryStore()
    const on = openServer({ store })
    const { admin: headers } = await reader(on)
    const { append } = store.audit
    store.audit.append = async () => {
      throw new Error('the disk is full')
    }
    expect(await failure(await on.call('DELETE', '/rc/v1/users/nobody', { headers }))).toBe('404 user_not_found')
    expect((await on.call('POST', '/rc/v1/store/motd', { headers, body: { data: 'hello' } })).status).toBe(500)
    store.audit.append = append
    expect((await on.call('POST', '/rc/v1/store/motd', { headers, body: { data: 'hello' } })).status).toBe(200)
  })
})
