import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { valueExpression } from '../columns/column-sql.js'
import type { TableShape } from '../columns/table-shape.js'
import type { AttributeType } from '../definition/attribute-types.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import { compileCount, compileQuery } from './compile.js'
import { readConditions } from './conditions.js'
import { readFind } from './read-options.js'

const attributes: Record<string, AttributeType> = { name: 'String', price: 'Float', rank: 'Integer' }
const indexes = [
  { name: 'byName', attributes: ['name'], unique: false },
  { name: 'byPrice', attributes: ['price'], unique: false },
]
const directories = temporaryDirectories()
let opened: OpenedDevice

beforeAll(async () => {
  opened = openOn(await driveOn('better-sqlite3', directories.make()), new FakeServer(), [
    definition('Bag', { attributes, indexes }),
    definition('Fixed', { storage: 'fixed', freezed: true, attributes, indexes }),
  ])
})
afterAll(async () => {
  await opened.sdk.close()
  directories.removeAll()
})

const shapeOf = (name: string) => opened.parts.registry.get(name)?.shape as TableShape

function planOf(name: string, options: unknown): string {
  const { sql, values } = compileQuery(readFind(options), shapeOf(name))
  return opened.parts.database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
    .map(row => row['detail'])
    .join('; ')
}

test.each([
  ['equality', { name: 'x' }, /SEARCH .* USING INDEX index_\w+_byName/],
  [
    'a range of numbers',
    { conditions: { price: { '>': 5 } }, order: 'price' },
    /SEARCH .* USING INDEX index_\w+_byPrice/,
  ],
  ['both ends of a range', { conditions: { price: { '>=': 5, '<=': 7 } } }, /SEARCH .* USING INDEX index_\w+_byPrice/],
  [
    'one number of some',
    { conditions: [{ price: 1 }, { price: 2 }], op: 'OR' },
    /SEARCH .* USING INDEX index_\w+_byPrice/,
  ],
  ['a list', { name: ['x', 'y'] }, /SEARCH .* USING INDEX index_\w+_byName/],
  ['SQL', { conditions: ['name = ? AND price < ?', 'x', 5] }, /SEARCH .* USING INDEX index_\w+_by/],
  ['order', { order: 'price', limit: 50 }, /^SCAN .* USING INDEX index_\w+_byPrice$/],
  ['descending order', { order: 'name', orderdir: 'DESC', limit: 50 }, /^SCAN .* USING INDEX index_\w+_byName/],
  ['object', { object: 'x' }, /SEARCH .* USING INDEX sqlite_autoindex/],
])('%s uses the index, in bags and in columns', (_, options, plan) => {
  for (const name of ['Bag', 'Fixed']) expect(planOf(name, options)).toMatch(plan)
})

test('queries of one shape are one text, so that they are prepared once', () => {
  for (const name of ['Bag', 'Fixed']) {
    const text = (options: unknown) => compileQuery(readFind(options), shapeOf(name)).sql
    expect(text({ conditions: { name: 'a' }, limit: 5 })).toBe(text({ conditions: { name: "b' --" }, limit: 7 }))
    expect(text({ price: ['1'] })).toBe(text({ price: ['2', '3'] }))
    expect(text({ other: 'a' })).toBe(text({ other: 5 }))
  }
})

test.each([
  ['either end of a range', 'OR', [{ rank: { '<': 1 } }, { name: 'x' }, { rank: { '>': 5 } }], 'NOT BETWEEN'],
  ['both ends', 'AND', [{ rank: { '>=': 1, '<=': 5 } }], 'BETWEEN'],
  ['one number of some', 'OR', [{ rank: 1 }, { rank: 5 }, { rank: '7' }], 'IN'],
])('an attribute is extracted from the row once for %s', (_, op, conditions, operator) => {
  for (const name of ['Bag', 'Fixed']) {
    const shape = shapeOf(name)
    const { sql } = compileQuery(readFind({ conditions: { conditions, op } }), shape)
    const [, where = ''] = sql.split(' WHERE ')
    expect(where.split(valueExpression(shape.definition, 'rank'))).toHaveLength(2)
    expect(sql).toContain(operator)
  }
})

test.each([
  ['Bag', 'other'],
  ['Fixed', 'object'],
])('thousands of conditions are not too deep for SQLite: %s by %s', (name, attribute) => {
  const condition = readConditions(
    Array.from({ length: 3000 }, (_, at) => ({ [attribute]: at })),
    'or',
  )
  const { sql, values } = compileCount({ order: [], ...(condition && { condition }) }, shapeOf(name))
  expect(opened.parts.database.prepare(sql).arrays(...values)).toEqual([[0]])
})

test.each(['__proto__', 'constructor', 'a.b', 'a"b', "a'b", 'a\\b', 'a\nb', '$', '[0]', 'ä', '😀', '#', 'a\u0001b'])(
  'an attribute may be called %j',
  name => {
    const Bag = opened.device.find('Bag')
    const row = Bag?.insert(JSON.parse(`{${JSON.stringify(name)}:"v","other":1}`))
    for (const options of [
      { conditions: JSON.parse(`{${JSON.stringify(name)}:"v"}`) },
      { conditions: { attrib: name, op: 'LIKE', value: 'V' } },
      { conditions: [`"${name.replaceAll('"', '""')}" = ?`, 'v'], order: [name] },
    ]) {
      expect(Bag?.read(readFind(options)).map(({ object }) => object)).toEqual([row?.object])
    }
  },
)

test('a value that no row shows for want of one is compared with the column alone, unless it is indexed', () => {
  const typed = (name: string, presence: 'required' | 'default' | 'optional') =>
    [
      name,
      { name, type: 'String', option: null, presence, ...(presence === 'default' && { default: 'none' }) },
    ] as const
  const { definition: bare, table } = shapeOf('Bag')
  const names = new Map([typed('name', 'default'), typed('note', 'default'), typed('city', 'required')])
  const shape = { table, definition: { ...bare, typed: true, attributes: names } as typeof bare }
  const requested = (attribute: string, value: string) =>
    compileCount({ condition: { kind: 'compare', attribute, operator: '=', value }, order: [] }, shape).sql.replace(
      /^.* WHERE /,
      '',
    )
  expect(requested('note', 'x')).toBe('"a_note" = ?')
  expect(requested('note', 'none')).toBe(`ifnull("a_note", 'none') = ?`)
  expect(requested('city', '')).toBe(`ifnull("a_city", '') = ?`)
  expect(requested('name', 'x')).toBe(`ifnull("a_name", 'none') = ?`)
})
