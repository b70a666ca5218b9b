import { MessageChannel } from 'node:worker_threads'
import { afterEach, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import { openSdkOn } from '../sdk/open-sdk.js'
import type { Sdk } from '../sdk/sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'
import { hostDevice } from './host.js'
import type { SourceStatus } from './protocol.js'
import { openRemote } from './remote-link.js'

const attributes = { name: t.string() }
const models = {
  City: defineModel('City', { partition: 'app', sync: 'incremental', attributes }),
  Visit: defineModel('Visit', { sync: 'incremental', attributes }),
  Draft: defineModel('Draft', { attributes }),
}
const NEVER: SourceStatus = { synced: false, progress: null, error: null, staleSince: null }
const DONE = { ...NEVER, synced: true }

const directories = temporaryDirectories()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  directories.removeAll()
})

async function open(server = new FakeServer()) {
  const directory = directories.make()
  const given = { server: 'http://sync.test', fetch: server.fetch, eventStream: false, models }
  const sdk: Sdk<typeof models> = openSdkOn<typeof models>(await driveOn('better-sqlite3', directory), given, {
    files: nodeFiles(directory),
  })
  sdk.pollInterval = 0
  const { port1, port2 } = new MessageChannel()
  hostDevice({ sdk, models }).connect(port1)
  const page = openRemote(port2, { models })
  ends.push(
    () => sdk.close(),
    () => page.close(),
    () => port1.close(),
  )
  const seen: SourceStatus[] = []
  page.status.subscribe(() => {
    const { City } = page.status.current().sources ?? {}
    if (City && City !== seen.at(-1)) seen.push(City)
  })
  /** The statuses, once messages on their way have arrived. */
  const sources = async () => {
    await page.changes()
    await new Promise(resolve => setTimeout(resolve, 60))
    return page.status.current().sources
  }
  return { server, page, sdk, seen, sources }
}

test('each model that syncs has a status: first sync, progress, and the last error until a sync succeeds', async () => {
  const { server, page, sdk, seen, sources } = await open()
  sdk.pageSize = 1
  server.write('City', { 1: { name: 'Paris' }, 2: { name: 'Rome' } })
  await page.login('ada', 'ada')
  await page.sync()
  expect(await sources()).toEqual({ City: DONE, Visit: DONE })
  expect(seen).toContainEqual({ ...NEVER, progress: { received: 1, total: 2 } })
  expect(seen).toContainEqual({ ...DONE, progress: { received: 2, total: 2 } })

  server.failing.set('City', { code: 'backend_failed', message: 'The backend is away.' })
  await page.sync()
  const failed = { City: { ...DONE, error: { code: 'backend_failed', message: 'The backend is away.' } }, Visit: DONE }
  expect(await sources()).toEqual(failed)
  // Sending succeeds, which shows nothing about fetching.
  await page.models.City.create({ name: 'Oslo' })
  expect(await sources()).toEqual(failed)
  server.failing.clear()
  await page.sync()
  expect(await sources()).toEqual({ City: DONE, Visit: DONE })
})

test('a model whose feed is silent is stale since then, until a later sync', async () => {
  const { server, page, sources } = await open()
  const since = '2026-03-01T10:00:00.000Z'
  server.staleSince.set('City', since)
  await page.login('ada', 'ada')
  await page.sync()
  expect([await sources(), page.status.current().staleSince]).toEqual([
    { City: { ...DONE, staleSince: since }, Visit: DONE },
    since,
  ])
  server.staleSince.clear()
  await page.sync()
  expect([await sources(), page.status.current().staleSince]).toEqual([{ City: DONE, Visit: DONE }, null])
})

test('after another user logs in, nothing has synced', async () => {
  const { server, page, sources } = await open()
  server.write('Visit', { 1: { name: 'a visit' } })
  await page.login('ada', 'ada')
  await page.sync()
  expect(await sources()).toEqual({ City: DONE, Visit: DONE })
  await page.login('grace', 'grace')
  expect((await sources())?.['Visit']).toEqual(NEVER)
})
