import { afterEach, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'
import { FakeServer } from '../testing/fake-server.js'
import { temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { models } from './models.fixture.js'
import { t } from './t.js'

const directories = temporaryDirectories()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const options = () => ({ directory: directories.make(), server: 'http://sync.test', fetch: new FakeServer().fetch })
async function open() {
  const sdk = await openSdk({ ...options(), models })
  opened.push(sdk)
  return sdk
}

const visitedAt = new Date('2026-01-02T03:04:05.678Z')
const code = (expected: string) => expect.objectContaining({ code: expected })

test('a row has every declared attribute and its id, and nothing else', async () => {
  const sdk = await open()
  const { Visit } = sdk.models
  const visit = Visit.create({ cityId: '1', visitedAt })
  const all = { cityId: '1', note: '', rating: undefined, mood: undefined, tags: [], photo: undefined, visitedAt }
  expect(visit).toStrictEqual({ id: visit.id, ...all })
  expect(Visit.find()).toStrictEqual([visit])
  expect(Visit.find({ select: ['note'] })).toStrictEqual([{ id: visit.id, note: '' }])
  expect(Visit.first({ select: [] })).toStrictEqual({ id: visit.id })
  expect(Visit.get(visit.id, { select: ['cityId'] })).toStrictEqual({ id: visit.id, cityId: '1' })
  expect([Object.isFrozen(visit), Object.isFrozen(visit.tags), Visit.get('none')]).toEqual([true, true, undefined])
})

test('create requires and checks attributes, and omits undefined', async () => {
  const { Visit } = (await open()).models
  const create = (attributes: object) => () => Visit.create(attributes as never)
  expect(create({ cityId: '1' })).toThrow(code('record_invalid'))
  expect(create({ cityId: undefined, visitedAt })).toThrow(code('record_invalid'))
  expect(create({ cityId: null, visitedAt })).toThrow(/cityId/)
  for (const wrong of [
    { rating: 1.5 },
    { rating: 'x' },
    { mood: 'so-so' },
    { visitedAt: new Date(Number.NaN) },
    { visitedAt: '2026-02-30' },
    { tags: new Map() },
    { note: 5 },
  ])
    expect(create({ cityId: '1', visitedAt, ...wrong })).toThrow(code('attribute_invalid'))
  expect(create({ cityId: '1', visitedAt, comment: 'x' })).toThrow(code('attribute_unknown'))
  expect(create([])).toThrow(code('attribute_invalid'))
  expect(Visit.count()).toBe(0)
})

test('update keeps omitted attributes, and null removes them or restores a default', async () => {
  const sdk = await open()
  const { Visit } = sdk.models
  const { id } = Visit.create({ cityId: '1', visitedAt, note: 'x', rating: 3, tags: ['a'] })
  expect(Visit.update(id, { note: undefined, rating: null, tags: null })).toMatchObject({ note: 'x', tags: [] })
  expect(Visit.get(id)?.rating).toBeUndefined()
  expect(() => Visit.update(id, { visitedAt: null as never })).toThrow(code('record_invalid'))
  expect(Visit.update('none', { note: '' })).toBeUndefined()
  expect(Visit.updateMany({ cityId: '1' }, { note: 'y' })).toBe(1)
  expect(sdk.changes()).toMatchObject([
    { attributes: { city_id: '1', note: 'y', visited_at: visitedAt.toISOString() } },
  ])
  expect([Visit.destroyMany({ note: 'z' }), Visit.destroyMany({ note: 'y' }), Visit.destroyAll()]).toEqual([0, 1, 0])
})

test('conditions are values, null, operators, or, and, sql, relations and ids', async () => {
  const { Visit, City, Country } = (await open()).models
  const spain = Country.create({ name: 'Spain' })
  const [madrid, paris] = [
    City.create({ name: 'Madrid', countryId: spain.id, capital: true }),
    City.create({ name: 'Paris', countryId: 'fr', population: 5 }),
  ]
  const make = (note: string, cityId: string, rating?: number) =>
    Visit.create({
      note,
      cityId,
      rating,
      visitedAt: new Date(2026, 0, rating ?? 1),
      mood: rating === 5 ? 'good' : 'bad',
    })
  const [a, b, c] = [make('a', madrid.id, 5), make('b', paris.id, 3), make('c', 'nowhere')]
  const notes = (conditions: object) =>
    Visit.find({ conditions } as never)
      .map(({ note }) => note)
      .join('')
  expect(notes({})).toBe('abc')
  expect(notes({ note: 'a' })).toBe('a')
  expect(notes({ rating: null })).toBe('c')
  expect(notes({ rating: { '<>': null, '>=': 4 } })).toBe('a')
  expect(notes({ rating: { in: [3, 5], 'not in': [5] } })).toBe('b')
  expect(notes({ mood: { in: ['good'] } })).toBe('a')
  expect(notes({ note: { like: '%B%' } })).toBe('b')
  expect(notes({ visitedAt: { '>': new Date(2026, 0, 2) } })).toBe('ab')
  expect(notes({ id: { in: [a.id, c.id] } })).toBe('ac')
  expect(notes({ or: [{ note: 'a' }, { rating: 3 }] })).toBe('ab')
  expect([notes({ or: [] }), notes({ and: [] })]).toEqual(['', 'abc'])
  expect(notes({ sql: ['rating > ? OR id = ?', 4, b.id] })).toBe('ab')
  expect(notes({ sql: ['visitedAt >= ?', new Date(2026, 0, 5)] })).toBe('a')
  expect(notes({ city: {} })).toBe('ab')
  expect(notes({ city: { capital: true, country: { name: 'Spain' } } })).toBe('a')
  expect(notes({ or: [{ city: { name: 'Paris' } }, { rating: null }], note: { '<>': 'c' } })).toBe('b')
  expect(City.count({ conditions: { sql: ['capital AND capital = ?', true] } })).toBe(1)
  expect(Visit.count({ conditions: { city: { population: { '>': 1 } } } })).toBe(1)
  for (const wrong of [
    { cityId: undefined },
    { rating: { '>': undefined } },
    { comment: 'x' },
    { rating: {} },
    { rating: [3] },
    { rating: '4' },
    { note: null },
    { mood: { '>': 'a' } },
    { tags: ['x'] },
    { city: { note: 'x' } },
    { or: { note: 'a' } },
    { rating: { gte: 4 } },
    { sql: 'rating > 4' },
    { sql: ['city_id = ?', 'x'] },
    { id: { like: '1%' } },
  ])
    expect(() => notes(wrong)).toThrow(code('query_invalid'))
  expect(() => Visit.find({ conditons: {} } as never)).toThrow(/conditons/)
  expect(Visit.destroyMany({ city: { name: 'Paris' } })).toBe(1)
  expect(notes({})).toBe('ac')
})

test('an error lists what an order, a selection or relations may name', async () => {
  const { Visit, Employee } = (await open()).models
  const find = (options: object) => () => Visit.find(options as never)
  const ordered = 'expected one of id, cityId, note, rating, mood, visitedAt'
  expect(find({ order: { nte: 'asc' } })).toThrow(`Visit, order: ${ordered}, got "nte".`)
  expect(find({ order: { tags: 'asc' } })).toThrow(`Visit, order: ${ordered}, got "tags".`)
  expect(find({ select: ['note', 'city'] })).toThrow(
    'Visit, select: expected one of cityId, note, rating, mood, tags, photo, visitedAt, got "city".',
  )
  expect(find({ with: { town: true } })).toThrow('Visit, with: expected one of city, got "town".')
  expect(find({ with: { city: { select: ['id'] } } })).toThrow('City, select: expected one of name, countryId')
  expect(() => Employee.find({ with: { boss: true } } as never)).toThrow(
    'Employee, with: expected one of manager, got "boss".',
  )
  const Alone = defineModel('Alone', { attributes: { name: t.string() } })
  const sdk = await openSdk({ directory: directories.make(), models: { Alone } })
  opened.push(sdk)
  expect(() => sdk.models.Alone.find({ with: { city: true } } as never)).toThrow(
    'Alone, with: expected a model that belongs to others by an `as`.',
  )
})

test('with loads related rows, nested, in the requested order', async () => {
  const { Visit, City, Country, Employee } = (await open()).models
  const spain = Country.create({ name: 'Spain' })
  const madrid = City.create({ name: 'Madrid', countryId: spain.id })
  Visit.createMany([
    { cityId: madrid.id, note: 'a', visitedAt },
    { cityId: 'none', note: 'b', visitedAt },
  ])
  expect(
    Visit.find({
      select: ['note'],
      with: { city: { select: ['name'], with: { country: true } } },
      conditions: { note: { '<>': 'x' } },
      order: { note: 'desc' },
    }),
  ).toStrictEqual([
    { id: expect.any(String), note: 'b', city: undefined },
    {
      id: expect.any(String),
      note: 'a',
      city: { id: madrid.id, name: 'Madrid', country: { id: spain.id, name: 'Spain', capitalId: undefined } },
    },
  ])
  expect(Visit.paginate({ page: 1, perPage: 1, with: { city: true } })[0]?.city).toBeUndefined()
  const boss = Employee.create({ name: 'boss' })
  const middle = Employee.create({ name: 'middle', managerId: boss.id })
  Employee.create({ name: 'low', managerId: middle.id })
  expect(
    Employee.first({ conditions: { name: 'low' }, with: { manager: { with: { manager: true } } } })?.manager?.manager
      ?.name,
  ).toBe('boss')
  expect(Employee.count({ conditions: { manager: { manager: { name: 'boss' } } } })).toBe(1)
  expect(() => Visit.find({ with: { town: true } } as never)).toThrow(code('query_invalid'))
  expect(() => Visit.find({ with: { city: { where: {} } } } as never)).toThrow(code('query_invalid'))
})

test('sql reads views with the names of the app, and cannot write', async () => {
  const sdk = await open()
  const { Visit, City } = sdk.models
  const city = City.create({ name: 'Madrid', countryId: 'es', capital: true })
  Visit.createMany([1, 2].map(rating => ({ cityId: city.id, rating, visitedAt, tags: ['x', 'y'] })))
  const seen: unknown[] = []
  const text =
    'SELECT City.name, City.capital, count(*) AS visits, max(visitedAt) AS last FROM Visit JOIN City ON City.id = cityId WHERE rating >= ? GROUP BY City.id'
  const stop = sdk.sql.observe<{ visits: number }>(text, [1], rows => seen.push(rows.map(({ visits }) => visits)))
  const last = visitedAt.toISOString()
  expect(sdk.sql.all(text, [1])).toEqual([{ name: 'Madrid', capital: 1, visits: 2, last }])
  Visit.create({ cityId: city.id, rating: 5, visitedAt })
  expect(seen).toEqual([[2], [3]])
  stop()
  expect(sdk.sql.first('SELECT count(*) AS tags FROM Visit, json_each(Visit.tags)')).toEqual({ tags: 4 })
  expect(sdk.sql.first('SELECT id FROM City WHERE capital = ?', [true])).toEqual({ id: city.id })
  for (const wrong of ['COMMIT', 'DELETE FROM Visit', 'SELECT 1; SELECT 2', 'SELECT * FROM sqlite_master', 'SELECT "'])
    expect(() => sdk.sql.all(wrong)).toThrow(code('query_invalid'))
})

test('search matches prefixes of words without accents and case, best first', async () => {
  const { City } = (await open()).models
  const make = (name: string) => City.create({ name, countryId: 'x' })
  for (const name of ['Paris', 'New Parish', 'Sankt Pölten', 'Lyon', 'Parma Parma']) make(name)
  const found = (search: string) => City.find({ search }).map(({ name }) => name)
  expect(found('par')).toHaveLength(3)
  expect(found('par')[0]).toBe('Parma Parma')
  expect(found('PÖLT')).toEqual(['Sankt Pölten'])
  expect(found('polt sank')).toEqual(['Sankt Pölten'])
  expect(found('pa')).toEqual(['Paris', 'New Parish', 'Parma Parma'])
  expect([found(' ').length, found('!'), found('par" OR name:*')]).toEqual([5, [], []])
  expect(City.count({ search: 'par', conditions: { name: { like: 'P%' } } })).toBe(2)
  const [paris] = City.find({ search: 'paris', order: { name: 'desc' }, limit: 1 })
  City.update(City.find({ conditions: { name: 'Paris' } })[0]?.id ?? '', { name: 'Lutetia' })
  expect([found('lutet'), found('paris'), paris?.name]).toEqual([['Lutetia'], ['New Parish'], 'Paris'])
  City.destroyMany({ name: 'Lutetia' })
  expect(found('lutet')).toEqual([])
  expect(City.destroyAll()).toBe(4)
  expect(found('par')).toEqual([])
})

test('defineModel refuses invalid definitions', () => {
  const define = (options: object) => () => defineModel('Bad', options as never)
  const invalid = code('definition_invalid')
  expect(define({ attributes: { tags: t.json() } })).toThrow(invalid)
  expect(define({ attributes: { name: 'string' } })).toThrow(invalid)
  expect(define({ attributes: { id: t.string() } })).toThrow(invalid)
  expect(define({ attributes: { a: t.string({ serverName: 'x' }), x: t.string() } })).toThrow(invalid)
  expect(define({ attributes: { a: t.string(), A: t.string() } })).toThrow(invalid)
  expect(define({ sync: true, attributes: {} })).toThrow(
    'sync: expected one of none, incremental, bulk_only, got true.',
  )
  expect(define({ partition: 'shared', attributes: {} })).toThrow('partition: expected one of local, user, app, got')
  expect(define({ attributes: { mood: t.enum([]) } })).toThrow(invalid)
  expect(define({ attributes: { a: t.string({ serverName: 'half \ud800' }) } })).toThrow(invalid)
  expect(define({ attributes: { size: t.integer().default('0' as never) } })).toThrow(invalid)
  expect(define({ attributes: { name: t.string(), nameId: t.belongsTo('Name', { as: 'name' }) } })).toThrow(invalid)
  const twice = { one: t.belongsTo('X', { as: 'x' }), two: t.belongsTo('X', { as: 'x' }) }
  expect(define({ attributes: twice })).toThrow(invalid)
  expect(define({ attributes: { name: t.string() }, indexes: { byTitle: ['title'] } })).toThrow(invalid)
  expect(defineModel('Good', { attributes: { key: t.string({ serverName: 'id' }) } }).name).toBe('Good')
})
