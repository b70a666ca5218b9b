import { existsSync } from 'node:fs'
import type { SyncServer } from '@godwit/server'
import type { Store } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { redisIsThere } from '@godwit/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import { redisAddress } from '../harness/stores.js'
import { go, PAGES, signedIn } from './visit.js'
import { type ConsoleWorld, FOLDER, openWorld, pull, serverOver } from './world.js'

const chromium = existsSync(FOLDER) && redisIsThere() ? findChromium() : undefined
const overRedis = chromium === undefined ? test.skip : test

let world: ConsoleWorld
let other: { readonly server: SyncServer; readonly url: string }
let browser: Browser
const stores: Store[] = []

beforeAll(async () => {
  if (chromium === undefined) return
  const address = await redisAddress(`console-${process.pid}`)
  for (let n = 0; n < 2; n++) stores.push(await connectRedisStore(address))
  const [one, two] = stores as [Store, Store]
  world = await openWorld({ store: one, objects: 600, users: 12, devices: 2 })
  other = await serverOver(two)
  browser = await openBrowser(chromium)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await world?.server.close()
  await other?.server.close()
  for (const store of stores) await store.close()
})

overRedis('the overview tells of every process, with what each of them was asked, as it happens', async () => {
  const { page } = await signedIn(browser, world, 'rita')
  const { headers } = world.devices[0] as ConsoleWorld['devices'][number]
  await pull(other.url, headers, 'Product')
  const processes = page.getByRole('region', { name: 'Processes' }).getByRole('row')
  await processes.nth(2).waitFor()
  expect(await processes.count()).toBe(3)
  const { requests } = await world.admin.system.state()
  // Of each of the two devices three of the world, one for the order, and this one.
  expect(requests.find(({ route }) => route === 'device.pull')?.count).toBe(8)
  await page.getByText('Live', { exact: true }).waitFor()
  await fetch(`${other.url}/app/v1/Product/push_objects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Sync-API-TOKEN': world.admin.token },
    body: JSON.stringify({ user_id: '*', objects: { added: { name: 'Sextant' } } }),
  })
  await page.getByText('1 object of Product').first().waitFor()
  await page.close()
})

overRedis('every page shows what is in Redis, and a mutation is decided', async () => {
  const { page, complaints } = await signedIn(browser, world, 'admin')
  for (const [path, title] of PAGES) {
    await go(page, path)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
  await go(page, 'objects?source=Product&contains=compass')
  await page.getByRole('link', { name: '1000007' }).waitFor()
  await go(page, 'mutations')
  await page.getByRole('link', { name: 'Order new1' }).click()
  await page.getByLabel('Id in the backend').fill('order-9')
  await page.getByRole('button', { name: 'Mark as applied…' }).click()
  await page.getByRole('button', { name: 'Mark as applied', exact: true }).click()
  await page.getByText('Marked the mutation as applied.').waitFor()
  const { objects } = await world.admin.users.objects('user0001', 'Order')
  expect(objects.map(({ id }) => id)).toEqual(['order-9'])
  expect(complaints.filter(one => !one.includes('ERR_ABORTED'))).toEqual([])
  await page.close()
})
