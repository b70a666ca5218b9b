import { isSyncError, SyncError } from '@godwit/protocol'
import { afterEach, expect, test } from '@jest/globals'
import { temporaryDirectories } from '../testing/open-device.js'
import type { BlobLike } from '../typed/attribute.js'
import { PLATFORM_TARGET } from './methods.js'
import { models, openPage, serve } from './remote.fixture.js'
import { remoteLink } from './remote-link.js'
import { readReply, writeReply } from './reply-text.js'

const directories = temporaryDirectories()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  directories.removeAll()
})

async function open(options: Parameters<typeof serve>[1] = {}) {
  const served = await serve(directories.make(), options)
  ends.push(() => served.sdk.close())
  const opened = openPage(served.host)
  ends.push(opened.close)
  return { ...served, ...opened }
}

test('an action is one transaction, and its result is returned', async () => {
  const { page, sdk } = await open()
  expect(await page.actions.visitNew('Paris', 'rain')).toMatchObject({ note: 'rain' })
  expect([sdk.models.City.count(), sdk.models.Visit.count()]).toEqual([1, 1])
  const grown = await Promise.all(
    Array.from({ length: 20 }, () => page.actions.grow(sdk.models.City.first()?.id ?? '')),
  )
  expect(grown.sort((one, other) => Number(one) - Number(other))).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
  expect(await page.actions.facts()).toEqual(new Map([['at', new Date(0)]]))
})

test('an error of an action arrives with its name and message, and nothing is stored', async () => {
  const { page, sdk } = await open()
  const error = await page.actions.refuse().catch((error: unknown) => error)
  expect(isSyncError(error) && error instanceof SyncError).toBe(true)
  expect(error).toMatchObject({
    code: 'action_failed',
    details: { action: 'refuse', name: 'RangeError', message: 'too far' },
  })
  expect(sdk.models.City.count()).toBe(0)
})

test('an asynchronous or unknown action is refused', async () => {
  const { page, sdk } = await open()
  await expect(page.actions.later()).rejects.toMatchObject({ code: 'value_not_allowed' })
  expect(sdk.models.City.count()).toBe(0)
  const others = page.actions as unknown as { readonly [name: string]: () => Promise<unknown> }
  for (const name of ['none', 'constructor', '__proto__', 'toString'])
    await expect(others[name]?.()).rejects.toMatchObject({ code: 'action_unknown' })
  expect(others['then']).toBeUndefined()
})

test('errors arrive with code, details and whether to retry', async () => {
  const { page } = await open()
  await expect(page.models.City.create({} as never)).rejects.toMatchObject({ code: 'record_invalid' })
  await expect(page.models.City.find({ conditions: { none: 1 } as never })).rejects.toMatchObject({
    code: 'query_invalid',
  })
  await expect(page.sql.all('DELETE FROM City')).rejects.toMatchObject({ code: 'query_invalid' })
  await expect(page.sync()).rejects.toMatchObject({ code: 'logged_out', retryable: false })
  await expect(page.models.City.create({ name: (() => {}) as never })).rejects.toMatchObject({
    code: 'value_not_allowed',
  })
  expect(await page.models.City.count()).toBe(0)
})

test('a page logs in, syncs, and receives events', async () => {
  const { page, sdk } = await open()
  const events = page.events()
  const reported: unknown[] = []
  page.status.subscribe(() => reported.push(page.status.current().loggedIn))
  await page.login('ada', 'ada')
  expect(page.status.current()).toMatchObject({ connected: true, userName: 'ada', loggedIn: true, waiting: 0 })
  expect(reported).toContain(true)
  expect(await page.sync()).toMatchObject({ sources: [] })
  expect(await events.next()).toMatchObject({ value: { kind: 'status', userName: 'ada' } })
  await events.return()
  expect(await page.changes()).toEqual(sdk.changes())
  expect(await page.refused()).toEqual([])
  expect(await page.debug()).toEqual(sdk.debug())
  await page.logout()
  expect(page.status.current()).toMatchObject({ loggedIn: false, userName: 'ada' })
})

test('a report of the device thread is an event of every page', async () => {
  const { page, host } = await open()
  await page.models.City.count()
  const event = page.events().next()
  host.report(new Error('an observer threw'))
  expect(await event).toMatchObject({ value: { kind: 'error', source: null, error: { message: 'an observer threw' } } })
})

test('an observer in the device thread that throws causes an event, and stops nothing', async () => {
  const { page, sdk } = await open()
  await page.models.City.count()
  const events = page.events()
  const heard: number[] = []
  let isFirst = true
  sdk.models.City.observe({}, () => {
    if (!isFirst) throw new Error('mine')
    isFirst = false
  })
  sdk.models.City.observe({}, rows => heard.push(rows.length))
  await page.models.City.create({ name: 'Paris' })
  expect(heard).toEqual([0, 1])
  expect(await events.next()).toMatchObject({ value: { kind: 'error', source: null, error: { message: 'mine' } } })
})

test('later writes of a page wait for its file', async () => {
  const { page, sdk } = await open()
  const photo = new Blob(['a photo'], { type: 'image/png' })
  const [visit] = await Promise.all([
    page.models.Visit.create({ note: 'first', photo: photo as unknown as BlobLike }),
    page.models.Visit.create({ note: 'second' }),
  ])
  expect(sdk.models.Visit.find().map(({ note }) => note)).toEqual(['first', 'second'])
  const other = await page.models.Visit.update(visit.id, { photo: new TextEncoder().encode('another') })
  expect(other?.photo?.hash).not.toBe(visit.photo?.hash)
  expect(await page.blobPath(visit.photo ?? { hash: '' })).toContain(visit.photo?.hash)
})

test('a file is held until the call ends, and platform calls are answered', async () => {
  const blocked: string[] = []
  const served = await serve(directories.make(), {
    host: {
      takeBlob: async blob => {
        blocked.push('taken')
        return { value: { hash: String(blob.size) }, release: () => blocked.push('released') }
      },
      calls: { room: { kind: 'read', run: async (share: number) => ({ quota: share * 100 }) } },
    },
  })
  ends.push(() => served.sdk.close())
  const { port1, port2 } = new MessageChannel()
  served.host.connect(port1)
  const link = remoteLink({ models })
  link.attach(port2)
  ends.push(() => port1.close(), link.device.close)
  await expect(
    link.device.models.Visit.create({ note: 7 as never, photo: new Blob(['x']) as unknown as BlobLike }),
  ).rejects.toMatchObject({ code: 'attribute_invalid' })
  expect(blocked).toEqual(['taken', 'released'])
  expect(await link.call({ kind: 'read', on: PLATFORM_TARGET, method: 'room', args: [0.5] })).toEqual({ quota: 50 })
})

test('a reply is decoded as it was encoded', () => {
  const reply = {
    none: undefined,
    numbers: [0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 12n],
    dates: [new Date(5)],
    bytes: Uint8Array.of(1, 2),
    map: new Map<unknown, unknown>([[{ a: 1 }, new Set([null, undefined])]]),
    $: ['undefined', { $: 1 }],
  }
  expect(readReply(writeReply(reply))).toEqual(reply)
  expect(Number(readReply(writeReply(new Date(Number.NaN))))).toBeNaN()
  expect(readReply(writeReply(undefined))).toBeUndefined()
  const proto = readReply(writeReply(JSON.parse('{ "__proto__": { "a": 1 } }')))
  expect(Object.keys(proto as object)).toEqual(['__proto__'])
  for (const odd of [() => {}, Symbol('s'), new WeakMap()])
    expect(() => writeReply(odd)).toThrow(expect.objectContaining({ code: 'value_not_allowed' }))
})
