import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { createSyncServer, defineSource, type FeedBatch, type FeedContext } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { until } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import { folderPerTest } from '../harness/folder-per-test.js'

const models = { Order: defineModel('Order', { sync: 'incremental', attributes: { product: t.string() } }) }
const folder = folderPerTest()
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

test('a listening device knows since when the feed is silent, and that it is back, though nothing changed', async () => {
  let isAlive = true
  const feed = {
    async *open({ signal }: FeedContext): AsyncGenerator<FeedBatch> {
      for (let at = 1; !signal.aborted; at++) {
        if (isAlive) yield { cursor: String(at), heartbeat: true }
        await new Promise(resolve => setTimeout(resolve, 100))
      }
    },
  }
  const store = openMemoryStore()
  const query = () => ({ 1: { product: 'Lamp' } })
  const server = createSyncServer({
    store,
    sources: [defineSource<{ product: string }>({ name: 'Order', feed, query })],
    users: [{ login: 'ada', password: 'ada' }],
    limits: { passwordCost: 16, feedSilence: 2 },
  })
  const { url } = await server.listen({ port: 0 })
  const sdk = await openSdk({ directory: join(folder.path, 'ada'), server: url, models })
  closers.push(
    () => store.close(),
    () => server.close(),
    () => sdk.close(),
  )
  sdk.pollInterval = 3600
  await sdk.login('ada', 'ada')
  await sdk.sync()
  const silence = async () => {
    const { warnings = [] } = (await (await fetch(`${url}/readyz`)).json()) as { warnings?: readonly string[] }
    return [sdk.status().staleSince !== null, warnings.some(text => text.startsWith('The feed Order is silent since '))]
  }
  expect(await silence()).toEqual([false, false])
  isAlive = false
  await until(async () => (await silence()).every(Boolean), { every: 100, within: 30_000 })
  expect(sdk.staleSince('Order')).toBe(sdk.status().staleSince)
  expect(sdk.models.Order.count()).toBe(1)
  isAlive = true
  await until(async () => !(await silence()).some(Boolean), { every: 100, within: 30_000 })
})
