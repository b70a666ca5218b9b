import { SyncError } from '@godwit/protocol'
import { openMemoryStore } from '@godwit/store'
import { until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { json, openServer } from '../testing/open-server.js'
import { StoreHealth } from './store-health.js'

function watched() {
  const lines: string[] = []
  const told = (_: object, message: string): void => void lines.push(message)
  return { lines, log: { error: told, warn: told, info: told, debug: () => {} } }
}

test('an emptied store is not ready and says what to do, until its data is restored', async () => {
  const store = openMemoryStore()
  const { lines, log } = watched()
  const on = openServer({ store, log })
  const ready = () => on.ask('/readyz')
  expect(await json(await ready())).toEqual({ status: 'ready' })
  await on.as()
  const record = await store.registry.get('server', 'license')
  await store.registry.delete('server', 'license')
  for (let time = 0; time < 2; time++) {
    const answer = await ready()
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: 'store_unavailable', detail: expect.stringMatching(/came back empty.*Restore it/) },
    ])
  }
  expect(lines.join()).toMatch(/came back empty/)
  await store.registry.create('server', { id: 'license', value: record?.value ?? {} })
  expect(await json(await ready())).toEqual({ status: 'ready' })
})

test('a store without persistence is reported by the log and by /readyz', async () => {
  const store = openMemoryStore()
  const forgetful = { ...store, measure: async () => ({ ...(await store.measure()), persists: false }) }
  const { lines, log } = watched()
  const on = openServer({ store: forgetful, log })
  await on.as()
  expect(await json(await on.ask('/readyz'))).toEqual({
    status: 'ready',
    warnings: [expect.stringContaining('appendonly yes')],
  })
  expect(lines.filter(line => line.includes('loses all data when Redis restarts'))).toHaveLength(1)
})

test('a store that fails is logged once, and once when it works again, without any request', async () => {
  const store = openMemoryStore()
  const full = new SyncError('store_unavailable', 'The disk is full.')
  let checks = 0
  const check = () => (checks++ < 3 ? Promise.reject(full) : store.check())
  const { lines, log } = watched()
  const stopping = new AbortController()
  new StoreHealth({ store: { ...store, check }, log, isBegun: async () => true }).watch(stopping.signal, 1)
  await until(async () => checks > 5)
  stopping.abort()
  expect(lines).toEqual(['the store is not ready', 'the store is ready again'])
})
