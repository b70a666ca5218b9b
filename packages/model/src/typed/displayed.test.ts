import type { Attributes, AttributeValue } from '@godwit/protocol'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { OpenModel } from '../database/open-models.js'
import { composeSdk } from '../sdk/open-sdk.js'
import { Sdk } from '../sdk/sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'

const attributes = {
  cityId: t.belongsTo('City', { as: 'city', serverName: 'city_id' }),
  note: t.string().default('none'),
  name: t.string(),
  rating: t.integer().optional(),
  size: t.integer().default(3),
  price: t.float(),
  open: t.boolean(),
  mood: t.enum(['good', 'bad']),
  at: t.timestamp({ serverName: 'visited_at' }),
  tags: t.json((value): value is readonly string[] => Array.isArray(value)).default([]),
}
const indexes = { byNote: ['note'], bySize: ['size', 'rating'], byAt: ['at'], byOpen: ['open'] } as const
const City = defineModel('City', { attributes: { name: t.string().default('somewhere') }, textSearch: ['name'] })
const Bag = defineModel('Bag', { sync: 'incremental', attributes, textSearch: ['note', 'name'] })
const Fixed = defineModel('Fixed', { sync: 'incremental', storage: 'fixed', attributes, indexes })
const models = { City, Bag, Fixed }

const directories = temporaryDirectories()
const open = async () => {
  const options = { server: 'http://sync.test', fetch: new FakeServer().fetch, eventStream: false, models }
  const parts = composeSdk<typeof models>(await driveOn('better-sqlite3', directories.make()), options)
  return { parts, sdk: new Sdk(parts) }
}
let device: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  device = await open()
})
afterAll(async () => {
  await device.sdk.close()
  directories.removeAll()
})

const value = fc.constantFrom<AttributeValue>(
  ...['', 'none', 'good', 'bad', 'so-so', '3', '12', ' 5 ', '1.5', 'true', 'false', 'c1', 'x', 'Ärger', "it's"],
  ...[
    '2026-01-02T03:04:05.678Z',
    '2026-01-02T03:04:05.678999+02:00',
    '2026-01-02',
    '2026-02-30',
    '123456789012345678901',
  ],
  ...[0, 1, 3, 12, -4, 1.5, 1e21, true, false, [], ['a'], { a: 1 }, [1, { b: null }]],
)
const WIRE = ['city_id', 'note', 'name', 'rating', 'size', 'price', 'open', 'mood', 'visited_at', 'tags', 'undeclared']
const rows = fc.uniqueArray(
  fc.record({
    object: fc.constantFrom('1', '2', '3', '10', 'a', 'B'),
    attributes: fc.dictionary(fc.constantFrom(...WIRE), value, { maxKeys: 11, noNullPrototype: true }),
  }),
  { selector: ({ object }) => object, maxLength: 6 },
)
type ServerObjects = readonly { readonly object: string; readonly attributes: Attributes }[]

/** Stores rows as a server sends them, including values that do not match their declared type. */
function fill(given: ServerObjects): void {
  device.sdk.transaction(() => {
    for (const name of ['City', 'Bag', 'Fixed']) {
      const { rows: table } = device.parts.registry.get(name) as OpenModel
      table.clear()
      const all =
        name === 'City'
          ? [
              { object: 'c1', attributes: { name: 5 } },
              { object: '12', attributes: {} },
            ]
          : given
      for (const { object, attributes } of all) table.insert(object, { version: 1, pass: 1, attributes })
    }
  })
}

type Row = Readonly<Record<string, unknown>>
const comparable = (one: unknown): string | number | undefined =>
  one instanceof Date
    ? one.toISOString()
    : typeof one === 'boolean'
      ? String(one)
      : (one as string | number | undefined)
const isLess = (one: unknown, other: unknown): boolean => {
  const [a, b] = [comparable(one), comparable(other)]
  return typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0
    : Number(a) < Number(b)
}

test.each(['Bag', 'Fixed'] as const)(
  'a query matches what a row of a %s shows, and saving the row is no change',
  name => {
    const model = device.sdk.models[name as 'Bag']
    fc.assert(
      fc.property(rows, given => {
        fill(given)
        const all: readonly Row[] = model.find({ with: { city: true } })
        for (const row of all) {
          expect([
            typeof row['name'],
            typeof row['note'],
            typeof row['size'],
            typeof row['price'],
            typeof row['open'],
          ]).toEqual(['string', 'string', 'number', 'number', 'boolean'])
          expect([Number.isInteger(row['size']), row['at'] instanceof Date, Array.isArray(row['tags'])]).toEqual([
            true,
            true,
            true,
          ])
          expect(['good', 'bad']).toContain(row['mood'])
          expect([undefined, 'number']).toContain(row['rating'] === undefined ? undefined : typeof row['rating'])
          const { city, ...own } = row
          expect(model.get(String(row['id']))).toEqual(own)
          expect(city ?? undefined).toEqual(device.sdk.models.City.get(String(row['cityId'])))
        }
        const ids = (found: readonly Row[]) => found.map(({ id }) => id)
        for (const key of ['cityId', 'note', 'name', 'rating', 'size', 'price', 'open', 'mood', 'at']) {
          const stop: unknown[] = []
          for (const wanted of [...new Set(all.map(row => comparable(row[key])))]) {
            const displayed = all.find(row => comparable(row[key]) === wanted)?.[key]
            const conditions = { [key]: displayed ?? null } as object
            const expected = ids(all.filter(row => comparable(row[key]) === wanted))
            expect({ key, found: ids(model.find({ conditions })) }).toEqual({ key, found: expected })
            expect(model.count({ conditions })).toBe(expected.length)
            model.observe({ conditions }, found => stop.push(ids(found)))()
            expect(stop.at(-1)).toEqual(expected)
            const bound = displayed === undefined ? [] : [displayed as string]
            const sql = `SELECT id FROM ${name} WHERE ${key} ${displayed === undefined ? 'IS NULL' : '= ?'} ORDER BY id`
            expect(ids(device.sdk.sql.all(sql, bound) as readonly Row[])).toEqual([...expected].sort())
            if (displayed === undefined || !['note', 'name', 'rating', 'size', 'price', 'at'].includes(key)) continue
            const above = ids(all.filter(row => row[key] !== undefined && isLess(displayed, row[key])))
            expect(ids(model.find({ conditions: { [key]: { '>': displayed } } as object }))).toEqual(above)
          }
          const ordered = model.find({ order: { [key]: 'desc' } } as object) as readonly Row[]
          for (const [at, row] of ordered.entries()) {
            const next = ordered[at + 1]
            if (next && row[key] !== undefined && next[key] !== undefined)
              expect(isLess(row[key], next[key])).toBe(false)
          }
        }
        expect(ids(model.find({ conditions: { city: {} } }))).toEqual(ids(all.filter(({ city }) => city !== undefined)))
        if (name === 'Bag')
          for (const word of ['none', 'arg', 'x'])
            expect(ids(model.find({ search: word, order: { id: 'asc' } }))).toEqual(
              ids(
                all.filter(row =>
                  `${row['note']} ${row['name']}`
                    .normalize('NFD')
                    .replace(/\p{M}/gu, '')
                    .toLowerCase()
                    .split(/[^a-z0-9]+/)
                    .some(one => one.startsWith(word)),
                ),
              ).sort(),
            )
        for (const { id, city: _, ...own } of all) model.update(String(id), own as never)
        expect(device.sdk.changes()).toEqual([])
        const handle = device.sdk.getModel(name)?.find('all') ?? []
        expect(handle.map(record => [record.object, record.get('note'), record.get('size')])).toEqual(
          all.map(row => [row['id'], row['note'], String(row['size'])]),
        )
      }),
      { numRuns: 60 },
    )
  },
)

test('a second definition of a typed model is refused, and its handle keeps its types', async () => {
  const invalid = expect.objectContaining({ code: 'definition_invalid' })
  const handle = device.sdk.getModel('Bag')
  expect(() => handle?.setModelProperty('more')).toThrow(invalid)
  expect(() => device.sdk.addModel('Bag', model => model.setModelProperty('note'))).toThrow(invalid)
  expect(() => handle?.create({ note: 'x' })).toThrow(expect.objectContaining({ code: 'record_invalid' }))
  expect(device.sdk.addModel('Bag').find('all', { conditions: { note: 'nothing' } })).toEqual([])
})
