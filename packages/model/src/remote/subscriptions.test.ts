import { MessageChannel } from 'node:worker_threads'
import { sourceKeyText } from '@godwit/protocol'
import { afterEach, expect, test } from '@jest/globals'
import { openSdkOn } from '../sdk/open-sdk.js'
import type { Sdk } from '../sdk/sdk.js'
import { fakePartitions } from '../testing/fake/fake-partitions.js'
import { FakeServer } from '../testing/fake-server.js'
import { ManualTimers } from '../testing/manual-timers.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'
import { hostDevice } from './host.js'
import { openRemote } from './remote-link.js'

const directories = temporaryDirectories()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  directories.removeAll()
})

const Task = defineModel('Task', {
  sync: 'incremental',
  by: ['projectId'],
  attributes: { projectId: t.string({ serverName: 'project' }), title: t.string() },
})
const models = { Task }
type Models = typeof models

async function open() {
  const server = new FakeServer()
  server.partitions.set('Task', fakePartitions(['project']))
  server.write(sourceKeyText({ source: 'Task', parameters: { project: '7' } }), { a: { project: '7', title: 'A' } })
  const drive = await driveOn('better-sqlite3', directories.make())
  const sdk: Sdk<Models> = openSdkOn<Models>(drive, {
    server: 'http://sync.test',
    fetch: server.fetch,
    eventStream: false,
    timers: new ManualTimers(),
    sendWrites: 'with-sync',
    models,
  })
  ends.push(() => sdk.close())
  await sdk.login('ada', 'ada')
  const host = hostDevice<Models>({ sdk, models })
  const page = () => {
    const { port1, port2 } = new MessageChannel()
    host.connect(port1)
    const device = openRemote<Models>(port2, { models })
    ends.push(() => {
      device.close()
      port1.close()
    })
    return device
  }
  return { sdk, page }
}

test('a typed model subscribes by its own names of the attributes', async () => {
  const { sdk } = await open()
  const subscription = sdk.models.Task.subscribe({ projectId: '7' }, { keep: '7d' })
  expect(subscription.state).toEqual({ kind: 'waiting' })
  await sdk.sync()
  expect(sdk.models.Task.find().map(({ title }) => title)).toEqual(['A'])
  expect(subscription.state).toEqual({ kind: 'live' })
  // @ts-expect-error: the parameters are those of `by`
  expect(() => sdk.models.Task.subscribe({ title: 'A' })).toThrow()
})

test('a page in another thread subscribes, waits until the partition is ready, and another page ends it', async () => {
  const { page } = await open()
  const [one, other] = [page(), page()]
  const subscription = one.models.Task.subscribe({ projectId: '7' })
  await subscription.stored
  expect(await subscription.ready()).toBe(true)
  expect(await subscription.state()).toEqual({ kind: 'live' })
  expect(await other.subscriptions('Task')).toMatchObject([{ parameters: { project: '7' }, by: ['app'], rows: 1 }])
  await other.models.Task.subscribe({ projectId: '7' }).unsubscribe()
  expect(await one.subscriptions()).toEqual([])
  await one.sync()
  expect(await one.models.Task.find()).toEqual([])
})

test('defineModel names what is wrong with by', () => {
  const attributes = { project: t.string(), title: t.string().optional() }
  const given = { sync: 'incremental', attributes } as const
  expect(() => defineModel('Task', { ...given, by: [] })).toThrow('expected 1 to 4 different attributes, got none')
  expect(() => defineModel('Task', { ...given, by: ['title'] })).toThrow('expected required attributes')
  expect(() => defineModel('Task', { ...given, sync: 'none', by: ['project'] })).toThrow("sync: 'incremental'")
})
