import { afterEach, describe, expect, test } from '@jest/globals'
import type { Definition } from '../definition/definition.js'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import {
  DRIVERS,
  definition,
  driveOn,
  type OpenedDevice,
  openOn,
  temporaryDirectories,
} from '../testing/open-device.js'
import type { Records } from './records.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const local = { partition: 'local', syncType: 'none' } as const
const types = { name: 'String', age: 'Integer', weight: 'Float', alive: 'Boolean' } as const

describe.each(DRIVERS)('records over %s', driver => {
  async function open(one: Definition): Promise<Records> {
    const device = openOn(await driveOn(driver, directories.make()), new FakeServer(), [one])
    opened.push(device)
    return device.device.find(one.name) as Records
  }

  const hostile = {
    'a\0b': '\0',
    __proto__of: { ['__proto__']: 1 },
    constructor: 'text',
    'quote\'"': 'it\'s "quoted"',
    '😀': ['é', null, { deep: [true, 1e300, -0.5] }],
    empty: {},
    big: 2 ** 60,
  }

  test('a bag returns any JSON unchanged', async () => {
    const records = await open(definition('Bag', local))
    const row = records.insert(hostile)
    expect(records.get(row.object)?.attributes).toEqual(hostile)
    expect(records.read(EVERYTHING)).toEqual([row])
  })

  test('half a surrogate pair is refused in values, names and what they hold', async () => {
    const records = await open(definition('Bag', local))
    const { object } = records.insert({ a: 'fine' })
    for (const given of [{ a: '\ud800' }, { '\udc00': 1 }, { a: [{ b: '\ud800' }] }, { a: { '\udbff': 1 } }]) {
      expect(() => records.insert(given)).toThrow(/half a surrogate pair/)
      expect(() => records.change(object, given)).toThrow(/half a surrogate pair/)
    }
    expect(records.read(EVERYTHING)).toMatchObject([{ attributes: { a: 'fine' } }])
  })

  test('an id is data', async () => {
    const records = await open(definition('Bag', local))
    for (const id of ['__proto__', 'constructor', 'a\0b', "'; DROP TABLE x; --", '*', '\n', '😀']) {
      records.insert({ id }, id)
      expect(records.get(id)?.attributes).toEqual({ id })
    }
    for (const id of ['', 'x'.repeat(1025), '\ud800']) expect(() => records.insert({}, id)).toThrow(/id of 1 to 1024/)
  })

  test('a fixed model keeps its types and refuses what does not fit', async () => {
    const records = await open(definition('Fixed', { ...local, storage: 'fixed', freezed: true, attributes: types }))
    const { object } = records.insert({ name: '12', age: 4, weight: 170.5, alive: false })
    expect(records.get(object)?.attributes).toEqual({ name: '12', age: 4, weight: 170.5, alive: false })
    expect(records.insert({ age: '7', weight: '1.5', alive: 'true' }).attributes).toEqual({
      age: 7,
      weight: 1.5,
      alive: true,
    })
    const before = records.count(EVERYTHING)
    for (const wrong of [
      { name: 5 },
      { age: 1.5 },
      { age: 'x' },
      { weight: Number.NaN },
      { alive: 1 },
      { name: ['a'] },
    ]) {
      expect(() => records.insert(wrong)).toThrow(expect.objectContaining({ code: 'attribute_invalid' }))
    }
    expect(() => records.insert({ other: 1 })).toThrow(expect.objectContaining({ code: 'attribute_unknown' }))
    expect(() => records.change(object, { object: 'x' })).toThrow(expect.objectContaining({ code: 'name_not_allowed' }))
    expect(records.count(EVERYTHING)).toBe(before)
  })

  test.each(['bag', 'fixed'] as const)('a unique index of a %s model binds local saves', async storage => {
    const indexes = [{ name: 'one', attributes: ['name', 'age'], unique: true }]
    const records = await open(definition('Unique', { ...local, storage, freezed: true, attributes: types, indexes }))
    const first = records.insert({ name: 'a', age: 1 })
    records.insert({ name: 'a' })
    const second = records.insert({ name: 'a' })
    expect(() => records.insert({ name: 'a', age: 1 })).toThrow(expect.objectContaining({ code: 'not_unique' }))
    expect(() => records.change(second.object, { age: 1 })).toThrow(expect.objectContaining({ code: 'not_unique' }))
    expect(records.change(first.object, { name: 'a', age: 1 })?.object).toBe(first.object)
    expect(records.count(EVERYTHING)).toBe(3)
  })

  test('SQL over models by name reads rows, also by undeclared attributes, and never writes', async () => {
    const records = await open(definition('Bag', { ...local, attributes: { age: 'Integer' } }))
    const rows = records.insertMany([
      { name: 'a', age: 2 },
      { name: 'b', age: 10 },
      { name: 'b', age: 3 },
    ])
    expect(records.readSql('SELECT * FROM Bag WHERE name = ? ORDER BY age', ['b'])).toEqual([rows[2], rows[1]])
    expect(records.readSql(`SELECT object FROM Bag WHERE "nowhere" = 'x'`, [])).toEqual([])
    for (const sql of [
      'DELETE FROM Bag',
      'SELECT age FROM Bag',
      'SELECT * FROM Nothing',
      `WITH x AS (SELECT 1) DELETE FROM "local"."bag_Bag"`,
    ]) {
      expect(() => records.readSql(sql, [])).toThrow(expect.objectContaining({ code: 'query_invalid' }))
    }
    expect(records.count(EVERYTHING)).toBe(3)
  })

  test('rows are frozen, and objects of the app are not', async () => {
    const records = await open(definition('Bag', local))
    const tags = ['a']
    const row = records.insert({ tags })
    expect(() => (row.attributes['tags'] as string[]).push('b')).toThrow(TypeError)
    tags.push('c')
    expect(records.get(row.object)?.attributes).toEqual({ tags: ['a'] })
  })

  test('ids are decimal strings, all different', async () => {
    const records = await open(definition('Bag', local))
    const ids = Array.from({ length: 10_000 }, () => records.newId())
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every(id => /^[1-9]\d+$/.test(id))).toBe(true)
  })
})
