import { expect } from '@jest/globals'
import type { Schema } from './any-schema.fixture.js'
import { isOfKind } from './any-schema.fixture.js'
import type { AnyTypedModel } from './typed-model.js'

type Row = Readonly<Record<string, unknown>>
type Select = (sql: string, values: readonly (string | number | boolean | Date)[]) => readonly object[]

/** Compares values as SQL does: text by its bytes, absent values first. */
function compare(one: unknown, other: unknown): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined)
  const [a, b] = [comparable(one), comparable(other)]
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

const comparable = (one: unknown): string | number => {
  if (one instanceof Date) return one.toISOString()
  return typeof one === 'number' ? one : String(one)
}

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/** Checks that rows show values of their types, and that conditions, order, counts, live queries, relations, SQL and search agree with the rows. */
export function checkAgreement(
  { model, declared, searched }: Schema,
  models: { readonly [name: string]: AnyTypedModel },
  select: Select,
): void {
  const [own, city] = [models[model.name] as AnyTypedModel, models['City'] as AnyTypedModel]
  const hasCity = declared.has('cityId')
  const all = own.find(hasCity ? { with: { city: true } } : undefined) as readonly Row[]
  const idsOf = (rows: readonly object[]) => rows.map(row => (row as Row)['id'])
  expect(own.count()).toBe(all.length)
  for (const row of all) {
    const { city: joined, ...displayed } = row
    expect(Object.keys(displayed).sort()).toEqual(['id', ...declared.keys()].sort())
    for (const [key, one] of declared)
      if (!isOfKind(one, row[key])) throw new Error(`${key} shows ${JSON.stringify(row[key])}: ${one.kind}`)
    expect(own.get(String(row['id']))).toEqual(displayed)
    if (hasCity) expect(joined).toEqual(row['cityId'] === undefined ? undefined : city.get(String(row['cityId'])))
  }
  for (const [key, { kind }] of declared) {
    if (kind === 'json') continue
    for (const direction of ['asc', 'desc'] as const) {
      const sign = direction === 'asc' ? 1 : -1
      const sorted = [...all].sort((one, other) => sign * compare(one[key], other[key]))
      expect({ key, direction, ids: idsOf(own.find({ order: { [key]: direction } })) }).toEqual({
        key,
        direction,
        ids: idsOf(sorted),
      })
    }
    const values = new Map(all.map(row => [String(comparable(row[key])), row[key]]))
    for (const value of values.values()) {
      const expected = idsOf(all.filter(row => compare(row[key], value) === 0))
      const conditions = { [key]: value ?? null }
      const seen: unknown[] = []
      own.observe({ conditions }, rows => seen.push(idsOf(rows)))()
      expect({ key, value, found: [idsOf(own.find({ conditions })), own.count({ conditions }), ...seen] }).toEqual({
        key,
        value,
        found: [expected, expected.length, expected],
      })
      const where = `${key} ${value === undefined ? 'IS NULL' : '= ?'}`
      const bound = value === undefined ? [] : [value as string]
      expect({ key, value, ids: idsOf(select(`SELECT id FROM ${model.name} WHERE ${where}`, bound)).sort() }).toEqual({
        key,
        value,
        ids: [...expected].sort(),
      })
      if (value === undefined || !['string', 'integer', 'float', 'timestamp'].includes(kind)) continue
      const above = all.filter(row => row[key] !== undefined && compare(row[key], value) > 0)
      expect({ key, value, above: idsOf(own.find({ conditions: { [key]: { '>': value } } })) }).toEqual({
        key,
        value,
        above: idsOf(above),
      })
    }
  }
  if (hasCity) {
    const names = [...new Set(all.map(row => (row['city'] as Row | undefined)?.['name']))]
    for (const name of names.filter(one => one !== undefined)) {
      const expected = all.filter(row => (row['city'] as Row | undefined)?.['name'] === name)
      expect(idsOf(own.find({ conditions: { city: { name } } }))).toEqual(idsOf(expected))
    }
  }
  for (const word of searched.length > 0 ? ['none', 'arg', 'x', '12'] : []) {
    const has = (row: Row) => searched.some(key => wordsOf(String(row[key] ?? '')).some(one => one.startsWith(word)))
    const found = idsOf(own.find({ search: word, order: { id: 'asc' } }))
    expect({ word, found }).toEqual({ word, found: idsOf(all.filter(has)).sort() })
  }
}
