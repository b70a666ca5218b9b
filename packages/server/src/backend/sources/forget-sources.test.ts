import { expect, test } from '@jest/globals'
import { failure, openServer } from '../../testing/open-server.js'
import { forgetSources } from './forget-sources.js'
import { createSourceList } from './source-list.js'
import { storeName } from './stored-settings.js'

const DAY = 24 * 3600_000

test('a user creates a limited number of sources, and backends any number', async () => {
  const on = openServer({ dynamicSources: true, limits: { dynamicSourcesPerUser: 3 } })
  const [ada, grace] = [await on.device('ada'), await on.device('grace')]
  const pull = (name: string, { headers } = ada) => on.call('GET', `/app/v1/${name}`, { headers })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => pull(`Junk${n}`)))
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(3)
  for (const refused of answers.filter(({ status }) => status !== 200))
    expect(await failure(refused)).toBe('429 quota_exceeded')
  expect(await on.store.registry.count('source', 'ada')).toBeLessThanOrEqual(3)
  expect((await pull('Orders', grace)).status).toBe(200)
  const headers = await on.as()
  for (let n = 0; n < 5; n++) {
    const body = { user_id: 'ada', objects: { o: {} } }
    expect((await on.call('POST', `/app/v1/Pushed${n}/push_objects`, { headers, body })).status).toBe(200)
  }
  expect((await pull('Pushed4')).status).toBe(200)
  const text = await (await on.ask('/metrics')).text()
  expect(text).toMatch(/^godwit_limited_total\{limit="dynamicSourcesPerUser",result="refused"\} \d+$/m)
})

test('sources that stay empty for a day are forgotten, and no others', async () => {
  let now = 1_700_000_000_000
  const on = openServer({ dynamicSources: true, clock: () => now, limits: { dynamicSourcesPerUser: 3 } })
  const { headers } = await on.device('ada')
  const pull = (name: string) => on.call('GET', `/app/v1/${name}`, { headers })
  for (const name of ['Junk', 'Orders', 'Set']) expect((await pull(name)).status).toBe(200)
  await on.store.collections.apply({ source: 'Orders', partition: 'user:ada' }, { replace: { o: {} } })
  const admin = { headers: await on.as(), body: { data: { poll_interval: 7 } } }
  expect((await on.call('PUT', '/rc/v1/sources/Set', admin)).status).toBe(200)
  const forget = async () => {
    const sources = await createSourceList([], on.store, { dynamic: true })
    await forgetSources({ store: on.store, sources, clock: () => now, stopping: new AbortController().signal })
    return (await on.store.registry.list('source', { limit: 9 })).map(({ id }) => id)
  }
  now += DAY - 1
  expect(await forget()).toEqual(['Junk', 'Orders', 'Set'])
  now += 1
  expect(await forget()).toEqual(['Orders', 'Set'])
  expect(await failure(await pull('Other'))).toBe('200')
  expect(await failure(await pull('More'))).toBe('429 quota_exceeded')
})

test('a name that no source may have is refused, and kept by no process', async () => {
  const on = openServer({ dynamicSources: true })
  const [{ headers }, admin] = [await on.device('ada'), await on.as()]
  for (const name of ['..%2Fetc', 'a'.repeat(129)]) {
    expect(await failure(await on.call('GET', `/app/v1/${name}`, { headers }))).toBe('422 value_not_allowed')
    const body = { user_id: 'ada', objects: { o: {} } }
    const pushed = await on.call('POST', `/app/v1/${name}/push_objects`, { headers: admin, body })
    expect(await failure(pushed)).toBe('422 value_not_allowed')
  }
  expect(await on.store.registry.list('source', { limit: 9 })).toEqual([])
})

test('a store that an older version left such a name in is opened, and its other sources are there', async () => {
  const { store } = openServer({ dynamicSources: true })
  for (const name of ['../etc', 'Orders']) await storeName(store, name, { user: 'ada', at: 0 })
  const sources = await createSourceList([], store, { dynamic: true })
  expect(sources.all().map(({ name }) => name)).toEqual(['Orders'])
  expect([...(await sources.learnt()).keys()]).toEqual(['../etc', 'Orders'])
})
