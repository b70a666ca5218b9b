import { afterEach, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'
import { FakeServer } from '../testing/fake-server.js'
import { temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import type { LiveRows } from './live-rows.js'
import { t } from './t.js'

const directories = temporaryDirectories()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const code = (expected: string) => expect.objectContaining({ code: expected })
const options = (server: FakeServer, directory = directories.make()) =>
  ({ directory, server: 'http://sync.test', fetch: server.fetch, eventStream: false, sendWrites: 'with-sync' }) as const

const Seat = defineModel('Seat', {
  sync: 'incremental',
  attributes: {
    row: t.integer({ serverName: 'seat_row' }).default(1),
    place: t.string().optional(),
    status: t.enum(['free', 'taken']),
  },
  indexes: { once: { attributes: ['row', 'place'], unique: true } },
})

async function openSeats() {
  const server = new FakeServer()
  const sdk = await openSdk({ ...options(server), models: { Seat } })
  opened.push(sdk)
  sdk.pollInterval = 0
  await sdk.login('ada', 'ada')
  return { server, sdk, Seat: sdk.models.Seat }
}

test('a unique index checks stored values that fit, not the defaults shown instead', async () => {
  const { server, sdk, Seat } = await openSeats()
  server.write('Seat', { a: { place: 'A' }, b: { seat_row: 'first', place: 'B' }, c: { seat_row: '3', place: 'C' } })
  await sdk.sync()
  expect(Seat.find().map(({ row }) => row)).toEqual([1, 1, 3])
  for (const place of ['A', 'B']) Seat.create({ row: 1, place, status: 'free' })
  expect(() => Seat.create({ place: 'A', status: 'free' })).toThrow(code('not_unique'))
  expect(() => Seat.create({ row: 3, place: 'C', status: 'free' })).toThrow(code('not_unique'))
  expect([Seat.create({ status: 'free' }), Seat.create({ status: 'free' })]).toHaveLength(2)
})

test('storage and wire use the names of the server; rows, conditions and SQL those of the app', async () => {
  const { server, sdk, Seat } = await openSeats()
  const { id } = Seat.create({ row: 7, status: 'taken' })
  expect(sdk.changes()).toMatchObject([{ attributes: { seat_row: 7, status: 'taken' } }])
  await sdk.sync()
  expect(server.live('Seat')).toEqual({ [id]: { seat_row: 7, status: 'taken' } })
  expect(Seat.find({ conditions: { row: 7 }, order: { row: 'desc' }, select: ['row'] })).toEqual([{ id, row: 7 }])
  expect(sdk.sql.all('SELECT row FROM Seat')).toEqual([{ row: 7 }])
  expect(sdk.getModel('Seat')?.find('all', { conditions: { seat_row: 7 } })).toHaveLength(1)
  expect(() => Seat.find({ conditions: { seat_row: 7 } as never })).toThrow(code('query_invalid'))
})

test('updateMany, destroyMany and destroyAll are one transaction, and return a count', async () => {
  const { sdk, Seat } = await openSeats()
  Seat.createMany(['A', 'B', 'C', 'D'].map(place => ({ place, status: 'free' })))
  expect(Seat.updateMany({ place: { in: ['A', 'B'] } }, { status: 'taken' })).toBe(2)
  expect(() => Seat.updateMany({ status: 'free' }, { place: 'Z' })).toThrow(code('not_unique'))
  expect(Seat.count({ conditions: { place: 'Z' } })).toBe(0)
  expect([Seat.destroyMany({ status: 'taken' }), Seat.destroyAll(), Seat.destroyAll()]).toEqual([2, 2, 0])
  expect(sdk.changes()).toEqual([])
})

test('a live snapshot is the same object until the rows change', async () => {
  const { Seat } = await openSeats()
  const live = Seat.live({ conditions: { status: 'free' } })
  const seen: LiveRows<{ readonly id: string }>[] = []
  expect(live.current()).toEqual({ status: 'ready', rows: [], error: undefined })
  const stop = live.subscribe(() => seen.push(live.current()))
  const { id } = Seat.create({ status: 'free' })
  Seat.create({ status: 'taken' })
  expect(live.current()).toBe(live.current())
  expect(live.current()).toMatchObject({ status: 'ready', rows: [{ id }] })
  stop()
  Seat.destroyAll()
  expect(seen.map(({ rows }) => rows.length)).toEqual([1])
})

test('required attributes bind creates of the app, not retries or rows of the server', async () => {
  const [server, directory] = [new FakeServer(), directories.make()]
  const Task = defineModel('Task', { sync: 'incremental', attributes: { title: t.string() } })
  const older = await openSdk({ ...options(server, directory), models: { Task } })
  opened.push(older)
  older.pollInterval = 0
  await older.login('ada', 'ada')
  server.decide = () => ({ status: 'refused', code: 'refused', message: 'not yet' })
  server.write('Task', { x: { title: 'from the server' } })
  older.models.Task.create({ title: 'mine' })
  await older.sync()
  await opened.pop()?.close()
  const Later = defineModel('Task', {
    sync: 'incremental',
    schemaVersion: 2,
    attributes: { title: t.string(), day: t.string() },
  })
  const newer = await openSdk({ ...options(server, directory), models: { Task: Later } })
  opened.push(newer)
  expect(newer.models.Task.find()).toEqual([{ id: 'x', title: 'from the server', day: '' }])
  expect(() => newer.models.Task.create({ title: 'mine' } as never)).toThrow(code('record_invalid'))
  newer.refused('Task')[0]?.retry()
  expect(newer.models.Task.find().map(({ title }) => title)).toEqual(['from the server', 'mine'])
})
