import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { TableShape } from '../columns/table-shape.js'
import type { AttributeType } from '../definition/attribute-types.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import { compileQuery } from './compile.js'
import { readFind } from './read-options.js'

const attributes: Record<string, AttributeType> = { name: 'String', other: 'String', rank: 'Integer' }
const indexes = [
  { name: 'byName', attributes: ['name', 'rank'], unique: false },
  { name: 'byRank', attributes: ['rank'], unique: false },
]
const MODELS = ['Bag', 'Fixed'] as const
const TEXTS = [
  'Paris',
  'paris',
  'pARty',
  'Pa',
  'p',
  '',
  'Q',
  'par%',
  'pa_r',
  'Pär',
  'pa\u0000r',
  '~x',
  'Über',
  '12',
  '1',
]
const directories = temporaryDirectories()
let opened: OpenedDevice

beforeAll(async () => {
  opened = openOn(await driveOn('better-sqlite3', directories.make()), new FakeServer(), [
    definition('Bag', { attributes, indexes }),
    definition('Fixed', { storage: 'fixed', freezed: true, attributes, indexes }),
  ])
  for (const model of MODELS)
    for (const text of TEXTS) opened.device.find(model)?.insert({ name: text, other: text, rank: text.length })
})
afterAll(async () => {
  await opened.sdk.close()
  directories.removeAll()
})

const like = (attrib: string, value: string) => ({ conditions: { attrib, op: 'LIKE', value } })

const compiled = (name: string, options: unknown) =>
  compileQuery(readFind(options), opened.parts.registry.get(name)?.shape as TableShape)

function planOf(name: string, options: unknown): string {
  const { sql, values } = compiled(name, options)
  const rows = opened.parts.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
  return rows.map(row => row['detail']).join('; ')
}

test.each(MODELS)('a pattern that begins with text searches an index of %s, in both cases of a letter', name => {
  const plan = planOf(name, like('name', 'p%'))
  expect(plan.match(/SEARCH \S+ USING INDEX index_\w+_byName/g)).toHaveLength(2)
  expect(plan).not.toMatch(/SCAN/)
})

test('patterns of one length of prefix are one text, so that they are prepared once', () => {
  expect(compiled('Fixed', like('name', 'ab%')).sql).toBe(compiled('Fixed', like('name', 'xY%z')).sql)
})

test.each(MODELS)('with an index of %s a pattern matches what it matches without', name => {
  const found = (attrib: string, pattern: string) =>
    opened.device
      .find(name)
      ?.read(readFind({ ...like(attrib, pattern), order: ['rank', 'object'] }))
      .map(({ attributes }) => attributes['name'])
  const texts = [...TEXTS, 'p\u007f', '%', '_', '__', 'p_r%', '%r', 'pariser', 'PARIS', 'pä%', 'z']
  for (const text of texts) {
    for (const pattern of [text, `${text}%`, `${text.slice(0, 2)}%`, text.toUpperCase(), `${text.toLowerCase()}_%`]) {
      expect([pattern, found('name', pattern)]).toEqual([pattern, found('other', pattern)])
    }
  }
})
