import type { ServerState } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { json, openServer } from '../../testing/open-server.js'

test('the server reports its contents and what needs attention', async () => {
  const Broken = defineSource<object>({
    name: 'Broken',
    partition: 'app',
    pollInterval: -1,
    query: () => Promise.reject(new Error('the table is gone')),
  })
  const on = openServer({ sources: [Broken] })
  const { headers } = await on.device('ada')
  await on.call('PUT', '/rc/v1/readstate/users/*/sources/Broken', { headers: await on.as() })
  await on.call('GET', '/app/v1/Broken', { headers })
  await on.call('GET', '/rc/v1/users/nobody', { headers: await on.as() })
  const state = await json<ServerState>(await on.call('GET', '/rc/v1/system/state', { headers: await on.as() }))
  expect(state).toMatchObject({ version: '0.1.0', users: 2, clients: 1, jobs: { dead: 0 }, undecided: { in_doubt: 0 } })
  expect(state.warnings.map(({ about }) => about)).toEqual(['Broken', 'Broken'])
  expect(state.warnings[0]?.says).toContain('The last query failed: ')
  const pull = state.requests.find(({ route }) => route === 'device.pull')
  expect(pull?.count).toBe(1)
  expect(pull?.p99).toBeGreaterThan(0)
  expect(state.failures).toContainEqual({ route: 'users.get', code: 'user_not_found', count: 1 })
  expect(state.store.persists).toBeNull()
})

test('the first look of a console, before anybody signs in, counts as no error', async () => {
  const on = openServer()
  expect((await on.call('GET', '/rc/v1/system/session')).status).toBe(401)
  const read = async () =>
    (await json<ServerState>(await on.call('GET', '/rc/v1/system/state', { headers: await on.as() }))).failures
  expect(await read()).toEqual([])
  await on.call('GET', '/rc/v1/system/session', { headers: { cookie: 'sync_console=unknown' } })
  expect(await read()).toEqual([{ route: 'system.session', code: 'token_invalid', count: 1 }])
})

test('a server without sources reports that', async () => {
  const on = openServer({ sources: [] })
  const state = await json<ServerState>(await on.call('GET', '/rc/v1/system/state', { headers: await on.as() }))
  expect(state.warnings).toEqual([
    { about: 'sources', says: 'No sources are configured.', todo: 'Set SYNC_CONFIG and restart the server.' },
  ])
})

test('errors that no call caught are warnings, one for each module', async () => {
  const on = openServer()
  const headers = await on.as()
  for (const message of ['the line was cut', 'it was cut again']) on.server.recordStrayError({ module: 'pg', message })
  on.server.recordStrayError({ module: '/app/orders.js', message: 'no such row' })
  const { warnings } = await json<ServerState>(await on.call('GET', '/rc/v1/system/state', { headers }))
  expect(warnings.map(({ about, says }) => [about, says.replace(/\S+Z/, 'TIME')])).toEqual([
    ['pg', '2 errors outside of any call, most recently at TIME: it was cut again'],
    ['/app/orders.js', '1 error outside of any call, most recently at TIME: no such row'],
  ])
  const page = await (await on.call('GET', '/metrics')).text()
  expect(page).toContain('godwit_stray_errors_total{module="pg"} 2')
})

test('pulls by body are pulls', async () => {
  const on = openServer()
  const { headers } = await on.device('ada')
  await on.call('GET', '/app/v1/City', { headers })
  expect((await on.call('POST', '/app/v1/City/pull', { headers, body: {} })).status).toBe(200)
  const { requests } = await json<ServerState>(await on.call('GET', '/rc/v1/system/state', { headers: await on.as() }))
  const pulls = requests.filter(({ route }) => route.startsWith('device.pull'))
  expect(pulls.map(({ route, count }) => [route, count])).toEqual([['device.pull', 2]])
})

test('a configured backend without an address, and an address without its backend, are a warning', async () => {
  const warned = async (on: ReturnType<typeof openServer>) => {
    const state = await json<ServerState>(await on.call('GET', '/rc/v1/system/state', { headers: await on.as() }))
    return state.warnings.map(({ about, says }) => [about, says.replace(/ and .*/, '')])
  }
  const adapter_url = 'https://8.8.8.8/backend'
  const secret = openServer({ backend: { secret: 'a secret of sixteen letters' } })
  expect(await warned(secret)).toEqual([
    [
      'backend',
      'The configuration has a backend, but its address is not set: sources without functions receive objects only by pushes.',
    ],
  ])
  await secret.call('POST', '/rc/v1/system/appserver', { headers: await secret.as(), body: { adapter_url } })
  const replaced = 'The source has a query'
  expect(await warned(secret)).toEqual([
    ['City', replaced],
    ['Visit', replaced],
  ])
  // The secret is removed from the configuration, and the address stays.
  expect(await warned(openServer({ store: secret.store }))).toEqual([
    ['backend', `The backend address ${adapter_url} is not used: the configuration no longer has a backend.`],
  ])
})

test('a disk with less space than the store needs once more is a warning', async () => {
  const store = openMemoryStore()
  const on = (free: number, bytes: number) => {
    const measure = async () => ({ ...(await store.measure()), free, bytes })
    return openServer({ store: { ...store, measure } })
  }
  const warned = async (free: number, bytes: number) => {
    const one = on(free, bytes)
    return (await json<ServerState>(await one.call('GET', '/rc/v1/system/state', { headers: await one.as() }))).warnings
  }
  const gib = 1024 ** 3
  expect(await warned(5 * gib, 4 * gib)).toEqual([])
  expect(await warned(3 * gib, 4 * gib)).toMatchObject([
    { about: 'disk', says: '3072 MiB of disk space is free, expected at least 4096 MiB.' },
  ])
  expect(await warned(gib / 10, 0)).toMatchObject([{ about: 'disk', says: expect.stringContaining('200 MiB') }])
})

test('the figures of all processes are added up', async () => {
  const one = openServer()
  const other = openServer({ store: one.store })
  const { headers } = await one.device('ada')
  await one.call('GET', '/app/v1/City', { headers })
  await other.call('GET', '/app/v1/City', { headers })
  const admin = await one.as()
  const read = async () => json<ServerState>(await one.call('GET', '/rc/v1/system/state', { headers: admin }))
  await read()
  let state = await read()
  for (let waits = 0; state.processes.length < 2 && waits < 200; waits++) {
    await new Promise(resolve => setTimeout(resolve, 10))
    state = await read()
  }
  expect(state.processes[0]).toMatchObject({ process: state.process, version: state.version, streams: 0 })
  expect(state.processes).toHaveLength(2)
  expect(state.requests.find(({ route }) => route === 'device.pull')?.count).toBe(2)
})
