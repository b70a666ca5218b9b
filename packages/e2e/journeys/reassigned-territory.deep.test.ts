import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { until } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { endAll, inRepository, start } from '../harness/process.js'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../harness/server-process.js'
import { STORES, temporaryFolder } from '../harness/stores.js'

const attributes = { note: t.string() }
const models = {
  Order: defineModel('Order', { sync: 'incremental', attributes }),
  Price: defineModel('Price', { sync: 'incremental', attributes }),
}
const BEFORE = { from: 0, to: 1000, note: 'before' }

describe.each(STORES)('over $name, a territory that is reassigned', ({ address }) => {
  let folder: ReturnType<typeof temporaryFolder>
  let server: ServerProcess
  let admin: AdminClient

  const backendHas = (more: object) =>
    writeFileSync(join(folder.path, 'territories.json'), JSON.stringify({ Order: BEFORE, Price: BEFORE, ...more }))

  beforeEach(async () => {
    folder = temporaryFolder()
    backendHas({})
    const environment = { TERRITORIES: join(folder.path, 'territories.json') }
    server = await startServer({ store: await address(folder.path), config: 'territories.mjs', environment })
    admin = await AdminClient.login({ url: server.url, login: 'admin', password: ADMIN_PASSWORD })
  })

  afterEach(async () => {
    await endAll()
    folder.remove()
  })

  async function device() {
    const sdk = await openSdk({ directory: join(folder.path, 'device'), server: server.url, models })
    sdk.pollInterval = 0
    await sdk.login('ada', 'ada')
    await sdk.sync()
    const order = (id: number) => sdk.models.Order.get(`Order ${id}`)?.note
    const sync = async () => (await sdk.sync()).sources.find(({ source }) => source === 'Order')?.error
    return { sdk, order, sync, count: () => sdk.models.Order.count() }
  }

  const godwit = async (...words: readonly string[]) => {
    const program = start(inRepository('apps/server/dist/godwit.js'), words, {
      GODWIT_URL: server.url,
      GODWIT_PASSWORD: ADMIN_PASSWORD,
      XDG_CONFIG_HOME: folder.path,
    })
    await program.exit
    return program.output().out
  }
  const doctorSays = async () => (await godwit('doctor', '--json')).match(/\d+ removals held back since [^:]*/g) ?? []

  test('goes from the device, which gets everything else at once, and without an order a minute later', async () => {
    const { sdk, order, sync, count } = await device()
    backendHas({ Order: { from: 650, to: 1100, note: 'after' } })
    await admin.readState.refresh('ada', 'Order')
    const error = await sync()
    expect(error).toMatchObject({ code: 'removals_pending', ofBackend: true })
    expect(error?.message).toBe(
      '650 entries here may no longer exist, or may no longer be yours. They stay until the removal is confirmed. Everything else is up to date.',
    )
    expect([count(), order(0), order(999), order(1099)]).toEqual([1100, 'before', 'after', 'after'])
    expect(await doctorSays()).toHaveLength(1)
    const isApplied = async () => (await admin.users.partition('ada', 'Order')).pending_removals === null
    await until(isApplied, { within: 20_000 })
    expect(await sync()).toBeUndefined()
    expect([count(), order(649), order(650)]).toEqual([450, undefined, 'after'])
    await sdk.close()
  })

  test('that was a mistake leaves everything where it was', async () => {
    const { sdk, sync, count } = await device()
    backendHas({ Order: { from: 650, to: 1000, note: 'before' } })
    await admin.readState.refresh('ada', 'Order')
    backendHas({})
    const isOver = async () => (await admin.users.partition('ada', 'Order')).pending_removals === null
    await until(isOver, { within: 20_000 })
    expect([await sync(), count()]).toEqual([undefined, 1000])
    await sdk.close()
  })

  test('stays while the backend answers nothing at all, and for all users until an operator says so', async () => {
    const { sdk, sync, count } = await device()
    const nothing = { from: 0, to: 0, note: '' }
    backendHas({ Order: nothing, Price: nothing })
    await admin.readState.refresh('ada', 'Order')
    await admin.readState.refresh('*', 'Price')
    await new Promise(resolve => setTimeout(resolve, 4000))
    await admin.readState.refresh('*', 'Price')
    expect(await sync()).toMatchObject({ code: 'removals_pending' })
    expect([count(), sdk.models.Price.count()]).toEqual([1000, 1000])
    expect(await godwit('sources', 'accept')).toMatch(/Order +user:ada +1000[\s\S]*Price +\* +1000/)
    expect(JSON.parse(await godwit('sources', 'accept', 'Price', '--json'))).toMatchObject({ count: 0 })
    expect(JSON.parse(await godwit('sources', 'accept', 'Order', 'ada', '--json'))).toMatchObject({ count: 0 })
    expect(await sync()).toBeUndefined()
    expect([count(), sdk.models.Price.count()]).toEqual([0, 0])
    await sdk.close()
  })
})
