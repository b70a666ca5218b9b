import type { AttributeValue } from '@godwit/protocol'
import { afterEach, expect } from '@jest/globals'
import fc from 'fast-check'
import type { OpenModel as StoredModel } from '../database/open-models.js'
import type { Drive } from '../platform/driver.js'
import { composeSdk } from '../sdk/open-sdk.js'
import { Sdk } from '../sdk/sdk.js'
import type { FakeServer } from '../testing/fake-server.js'
import { ManualTimers } from '../testing/manual-timers.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'
import type { AnyTypedModel } from './typed-model.js'

export const directories = temporaryDirectories()
const opened: Sdk<object>[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

/** The possible declarations of an attribute, with the kind and the values of an enum. */
export const DECLARED = {
  text: { make: () => t.string(), kind: 'text' },
  note: { make: () => t.string().default('none'), kind: 'text' },
  maybe: { make: () => t.string().optional(), kind: 'text' },
  number: { make: () => t.integer().optional(), kind: 'number' },
  size: { make: () => t.integer().default(3), kind: 'number' },
  open: { make: () => t.boolean(), kind: 'boolean' },
  at: { make: () => t.timestamp(), kind: 'timestamp' },
  two: { make: () => t.enum(['good', 'bad']), kind: 'enum', values: ['good', 'bad'] },
  three: { make: () => t.enum(['bad', 'good', 'x']).optional(), kind: 'enum', values: ['bad', 'good', 'x'] },
  tags: { make: () => t.json<unknown>().default([]), kind: 'json' },
} as const
export type AttributeKind = keyof typeof DECLARED
export type AttributeKinds = Readonly<Record<string, AttributeKind>>

export const NAMES = ['a', 'b', 'c', 'd']
export const attributed = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.constantFrom(...(Object.keys(DECLARED) as AttributeKind[])),
  {
    minKeys: 1,
    noNullPrototype: true,
  },
)
export const value = fc.constantFrom<AttributeValue>(
  ...['', 'none', 'good', 'bad', 'x', '3', 'true', '2026-01-02T03:04:05.678Z', 'word other'],
  ...[0, 3, 1.5, true, false, [], ['a']],
)
export const objects = fc.dictionary(
  fc.constantFrom('1', '2', '3', '4'),
  fc.dictionary(fc.constantFrom(...NAMES, 'undeclared'), value, { noNullPrototype: true }),
  { noNullPrototype: true },
)

export interface Version {
  readonly attributes: AttributeKinds
  readonly schemaVersion: number
  readonly storage: 'bag' | 'fixed'
  readonly migrate?: () => void
}

const modelOf = ({ attributes, ...options }: Version) => {
  const texts = Object.keys(attributes).filter(name => DECLARED[attributes[name] as AttributeKind].kind === 'text')
  const searched = texts.length > 0 ? { textSearch: texts } : {}
  const built = Object.fromEntries(Object.entries(attributes).map(([name, one]) => [name, DECLARED[one].make()]))
  const compared = Object.keys(attributes).filter(name => attributes[name] !== 'tags')
  return defineModel('M', {
    ...options,
    ...searched,
    sync: 'incremental',
    attributes: built,
    indexes: compared.length > 0 ? { all: compared.slice(0, 2) } : {},
  } as never)
}

export async function open(drive: Drive, server: FakeServer, version: Version) {
  for (const sdk of opened.splice(0)) await sdk.close()
  const models = { M: modelOf(version) }
  const quiet = { timers: new ManualTimers(), sendWrites: 'with-sync' as const, eventStream: false }
  const parts = composeSdk<object>(drive, {
    server: 'http://sync.test',
    fetch: server.fetch,
    models,
    ...quiet,
  } as never)
  const sdk = new Sdk<object>(parts)
  opened.push(sdk)
  if (!sdk.isLoggedIn()) await sdk.login('ada', 'ada')
  const stored = () => {
    const { rows } = parts.registry.get('M') as StoredModel
    return Object.fromEntries(['1', '2', '3', '4', 'new'].map(id => [id, rows.get(id)?.attributes]))
  }
  return { sdk, stored, model: (sdk.models as { M: AnyTypedModel }).M }
}

export type Row = Readonly<Record<string, unknown>>
const key = (one: unknown) => (one instanceof Date ? one.toISOString() : JSON.stringify(one))

/** Checks that rows show values of the declared types, and that all queries agree with the rows. */
export function agree(sdk: Sdk<object>, model: AnyTypedModel, attributes: AttributeKinds): void {
  const all = model.find() as readonly Row[]
  for (const row of all) {
    expect(Object.keys(row).sort()).toEqual(['id', ...Object.keys(attributes)].sort())
    expect(model.get(String(row['id']))).toEqual(row)
  }
  const ids = (rows: readonly Row[]) => rows.map(({ id }) => id)
  for (const [name, declared] of Object.entries(attributes)) {
    const { kind } = DECLARED[declared]
    const isOne: Readonly<Record<string, (one: unknown) => boolean>> = {
      text: one => typeof one === 'string',
      number: Number.isInteger,
      boolean: one => typeof one === 'boolean',
      timestamp: one => one instanceof Date,
      enum: one => (DECLARED[declared] as { values?: readonly unknown[] }).values?.includes(one) === true,
      json: () => true,
    }
    const isOptional = declared === 'maybe' || declared === 'number' || declared === 'three'
    for (const row of all)
      expect([name, (isOptional && row[name] === undefined) || isOne[kind]?.(row[name])]).toEqual([name, true])
    if (kind === 'json') continue
    for (const row of all) {
      const wanted = all.filter(other => key(other[name]) === key(row[name]))
      const conditions = { [name]: row[name] ?? null }
      expect([name, ids(model.find({ conditions }) as readonly Row[])]).toEqual([name, ids(wanted)])
      const isNull = row[name] === undefined
      const sql = `SELECT id FROM M WHERE ${name} ${isNull ? 'IS NULL' : '= ?'} ORDER BY id`
      const found = sdk.sql.all(sql, isNull ? [] : [row[name] as string])
      expect(ids(found as readonly Row[])).toEqual(ids(wanted).sort())
    }
    expect(model.find({ order: { [name]: 'asc' }, select: [] })).toHaveLength(all.length)
  }
  const texts = Object.entries(attributes).filter(([, one]) => DECLARED[one].kind === 'text')
  for (const word of texts.length > 0 ? ['good', 'none', 'oth'] : []) {
    const has = (row: Row) =>
      texts.some(([name]) =>
        String(row[name] ?? '')
          .split(' ')
          .some(one => one.startsWith(word)),
      )
    expect(ids(model.find({ search: word, order: { id: 'asc' } }) as readonly Row[])).toEqual(
      ids(all.filter(has)).sort(),
    )
  }
}

const isSame = (older: AttributeKind, newer: AttributeKind | undefined): boolean => {
  if (newer === undefined || DECLARED[older].kind !== DECLARED[newer].kind) return false
  return older === newer || DECLARED[older].kind !== 'enum' || newer === 'three'
}

/** Returns true if a definition can write the table of another, which has all of its attributes. */
export const canWrite = (one: AttributeKinds, blocked: AttributeKinds): boolean =>
  Object.entries(one).every(([name, declared]) => isSame(declared, blocked[name]))

const REQUIRED = { text: 'x', open: true, at: new Date(0), two: 'good' } as const

export const requiredOf = (attributes: AttributeKinds) =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, declared]) =>
      declared in REQUIRED ? [[name, REQUIRED[declared as keyof typeof REQUIRED]]] : [],
    ),
  )

/** Returns the name of a text attribute, if there is one. */
export const textOf = (attributes: AttributeKinds): string | undefined =>
  Object.keys(attributes).find(name => DECLARED[attributes[name] as AttributeKind].kind === 'text')

export const rows = (model: AnyTypedModel) => [...(model.find({ order: { id: 'asc' } }) as readonly Row[])]

/** Creates a drive without files. */
export const newDrive = (): Promise<Drive> => driveOn('better-sqlite3', directories.make())
