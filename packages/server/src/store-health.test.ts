import { openMemoryStore } from '@godwit/store'
import { verifies } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { json, openServer } from './testing/open-server.js'

function watched() {
  const lines: string[] = []
  const told = (_: object, message: string): void => void lines.push(message)
  return { lines, log: { error: told, warn: told, info: told, debug: () => {} } }
}

test('an emptied store is not ready and says what to do, until its data is restored', async () => {
  verifies('behaviour.everywhere.empty-store')

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
  verifies('behaviour.everywhere.forgetful-store')

  const store = openMemoryStore()
  const forgetful = { ...store, measure: async () => ({ ...(await store.measure()), persists: false }) }
  const { lines, log } = watched()
  const on = openServer({ store: forgetful, log })
  await on.as()
  expect(await json(await on.ask('/readyz'))).toEqual({
    status: 'ready',
    warnings: [expect.stringContaining('appendonly yes')],
  })
  expect(lines.filter(line => line.includes('keeps nothing over a restart'))).toHaveLength(1)
})
