import { defineSource, type Log } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { openServer } from '../testing/open-server.js'

test('a source is said to begin or end to pass through where collections are dropped alone', async () => {
  const store = openMemoryStore()
  const lines: object[] = []
  const note = (facts: object, message: string) => {
    if (message.includes('pass_through')) lines.push(facts)
  }
  const log: Log = { error: note, warn: note, info: note, debug: note }
  const start = (passThrough: boolean) => {
    const Order = defineSource<object>({ name: 'Order', passThrough, query: () => ({}) })
    return openServer({ store, log, sources: [Order] })
  }
  const first = start(true)
  const { headers } = await first.device('ada')
  expect(lines).toEqual([])
  await first.call('GET', '/app/v1/Order', { headers })
  await first.server.close()
  await start(false).as()
  expect(lines).toEqual([{ source: 'Order' }])
})
