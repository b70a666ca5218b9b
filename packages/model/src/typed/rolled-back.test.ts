import type { Attributes, AttributeValue } from '@godwit/protocol'
import { verifies } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Drive } from '../database/driver.js'
import type { Model as StoredModel } from '../database/models.js'
import { composeSdk } from '../open-sdk.js'
import { Sdk } from '../sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { ManualTimers } from '../testing/manual-timers.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'
import type { AnyTypedModel } from './typed-model.js'

const directories = temporaryDirectories()
const opened: Sdk<object>[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

/** What an attribute may be declared as, its kind, and the values of an enum. */
const DECLARED = {
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
type Declared = keyof typeof DECLARED
type Attributed = Readonly<Record<string, Declared>>

const NAMES = ['a', 'b', 'c', 'd']
const attributed = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...(Object.keys(DECLARED) as Declared[])), {
  minKeys: 1,
  noNullPrototype: true,
})
const value = fc.constantFrom<AttributeValue>(
  ...['', 'none', 'good', 'bad', 'x', '3', 'true', '2026-01-02T03:04:05.678Z', 'word other'],
  ...[0, 3, 1.5, true, false, [], ['a']],
)
const objects = fc.dictionary(
  fc.constantFrom('1', '2', '3', '4'),
  fc.dictionary(fc.constantFrom(...NAMES, 'undeclared'), value, { noNullPrototype: true }),
  { noNullPrototype: true },
)

interface Version {
  readonly attributes: Attributed
  readonly schemaVersion: number
  readonly storage: 'bag' | 'fixed'
  readonly migrate?: () => void
}

const modelOf = ({ attributes, ...options }: Version) => {
  const texts = Object.keys(attributes).filter(name => DECLARED[attributes[name] as Declared].kind === 'text')
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

async function open(drive: Drive, server: FakeServer, version: Version) {
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

type Row = Readonly<Record<string, unknown>>
const key = (one: unknown) => (one instanceof Date ? one.toISOString() : JSON.stringify(one))

/** What rows show is of the declared types, and what every query sees. */
function agree(sdk: Sdk<object>, model: AnyTypedModel, attributes: Attributed): void {
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

const isSame = (older: Declared, newer: Declared | undefined): boolean => {
  if (newer === undefined || DECLARED[older].kind !== DECLARED[newer].kind) return false
  return older === newer || DECLARED[older].kind !== 'enum' || newer === 'three'
}

test.each(['bag', 'fixed'] as const)(
  'an older app opens the %s of a newer one, and an upgrade finds nothing lost',
  async storage => {
    verifies(
      'behaviour.migration.rolled-back',
      'behaviour.migration.rolled-back.newer',
      'behaviour.typed.search.rebuilt',
    )

    await fc.assert(
      fc.asyncProperty(
        fc.record({
          older: attributed,
          added: attributed,
          isAdded: fc.boolean(),
          first: objects,
          later: objects,
          change: value,
        }),
        async ({ older, added, isAdded, first, later, change }) => {
          const [server, drive] = [new FakeServer(), await driveOn('better-sqlite3', directories.make())]
          let migrations = 0
          const one = { attributes: older, schemaVersion: 1, storage }
          const newer = isAdded ? { ...added, ...older } : added
          const two = { attributes: newer, schemaVersion: 2, storage, migrate: () => void migrations++ }
          const up = await open(drive, server, one)
          server.write('M', first as Record<string, Attributes>)
          await up.sdk.sync()
          agree(up.sdk, up.model, older)

          const upper = await open(drive, server, two)
          await upper.sdk.sync()
          for (const { id } of upper.model.find() as readonly { id: string }[]) {
            const [name] = Object.keys(newer)
            if (DECLARED[newer[name as string] as Declared].kind === 'text')
              upper.model.update(id, { [name as string]: 'mine' })
          }
          agree(upper.sdk, upper.model, newer)
          const [before, changes] = [upper.stored(), upper.sdk.changes()]

          const isWritable = Object.entries(older).every(([name, declared]) => isSame(declared, newer[name]))
          const down = await open(drive, server, one)
          expect([down.stored(), down.sdk.changes()]).toEqual([before, changes])
          agree(down.sdk, down.model, older)
          const refused = expect.objectContaining({ code: 'schema_newer' })
          const required = { text: 'x', open: true, at: new Date(0), two: 'good' } as const
          const made = Object.fromEntries(
            Object.entries(older).flatMap(([name, declared]) =>
              declared in required ? [[name, required[declared as keyof typeof required]]] : [],
            ),
          )
          const [target] = down.model.find() as readonly { id: string }[]
          if (isWritable) {
            down.model.create(made)
          } else {
            expect(() => down.model.create(made)).toThrow(refused)
            expect(() => down.model.createMany([made, made])).toThrow(refused)
            expect(() => down.model.update('1', {})).toThrow(refused)
            expect(() => down.model.destroy('1')).toThrow(refused)
            expect(() => down.model.destroyAll()).toThrow(refused)
          }
          const text = Object.keys(older).find(name => DECLARED[older[name] as Declared].kind === 'text')
          if (isWritable && target && text !== undefined) down.model.update(target.id, { [text]: String(change) })
          const undecided = down.sdk.changes()
          server.write('M', later as Record<string, Attributes>)
          await down.sdk.sync()
          agree(down.sdk, down.model, older)
          expect(down.sdk.debug().models[0]).toMatchObject({ newer: { schemaVersion: 2, writable: isWritable } })
          expect(undecided.length > 0).toBe(server.pushes.length > 0)

          const again = await open(drive, server, two)
          expect(again.sdk.changes()).toEqual([])
          agree(again.sdk, again.model, newer)
          const rows = (model: AnyTypedModel) => [...(model.find({ order: { id: 'asc' } }) as readonly Row[])]
          const seen = rows(again.model)
          const fresh = await open(await driveOn('better-sqlite3', directories.make()), server, two)
          await fresh.sdk.sync()
          expect(seen).toEqual(rows(fresh.model))
          expect(migrations).toBe(1)
        },
      ),
      { numRuns: 12 },
    )
  },
  60_000,
)
