import { type Attributes, type AttributeValue, isWellFormed } from '@godwit/protocol'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type AttributeType, documentTypes } from '../definition/attribute-types.js'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import { DRIVERS, definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'
import type { OpenModel } from './open-models.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const names = ['a', 'b', 'constructor', '__proto__', 'q"\\?', "it's", 'é😀']
const value = fc.oneof(
  fc.constantFrom<AttributeValue>('', '12', '1.0', 'true', 'a\0b', '\ud800x', '{}', '"', 0, 2 ** 53 + 2, -(2 ** 62)),
  fc.constantFrom<AttributeValue>(true, false, [], {}, [null], { a: { b: null } }, 5e-324, 1.7976931348623157e308),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter(one => !Object.is(one, -0)),
)
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(fc.constantFrom(...names), value)
const declared = fc.dictionary(fc.constantFrom(...names), fc.constantFrom<AttributeType>(...documentTypes()))
const entries = (one: Attributes | undefined) => Object.entries(one ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))

test.each(DRIVERS)(
  'rows removed together are reported exactly, with their waiting updates undone, on %s',
  async driver => {
    const { device, parts, sdk } = openOn(await driveOn(driver, directories.make()), new FakeServer())
    let number = 0
    fc.assert(
      fc.property(attributes, declared, fc.boolean(), (given, types, isChanged) => {
        const records = device.define(definition(`M${++number}`, { attributes: types }))
        const model = parts.registry.get(`M${number}`) as OpenModel
        model.rows.insert('o', { version: 1, pass: 1, attributes: given })
        const nothing = Object.fromEntries(
          Object.keys(given).map((name, at) => [name, at % 2 ? null : (given[name] ?? null)]),
        )
        if (isChanged) records.change('o', { ...fittingIn(nothing, types), 'new"': [1, { 'x\0': null }] })
        expect(records.destroyAll(EVERYTHING)).toBe(1)
        const [removal, ...others] = model.scope.outbox.ofModel(model.name)
        expect(others).toEqual([])
        expect(removal).toMatchObject({ operation: 'delete', seen: 1, serverRow: { version: 1, pass: 1, dead: false } })
        expect(entries(removal?.was)).toEqual(entries(given))
      }),
      { numRuns: 300 },
    )
    await sdk.close()
  },
)

test('a model may have as many attributes as SQLite has columns', async () => {
  const { device, parts, sdk } = openOn(await driveOn('better-sqlite3', directories.make()), new FakeServer())
  const row = Object.fromEntries(Array.from({ length: 1900 }, (_, at) => [`attribute ${at}`, at / 7]))
  const types = Object.fromEntries(Object.keys(row).map(name => [name, 'Float' as const]))
  const records = device.define(definition('Wide', { storage: 'fixed', freezed: true, attributes: types }))
  const { outbox } = (parts.registry.get('Wide') as OpenModel).scope
  records.insertMany([row, row])
  expect(outbox.all().map(entry => entry.attributes)).toEqual([row, row])
  outbox.clear('Wide')
  parts.registry.get('Wide')?.rows.forgetEntries()
  expect(records.destroyAll(EVERYTHING)).toBe(2)
  expect(outbox.all().map(({ was }) => was)).toEqual([row, row])
  await sdk.close()
})

/** Returns changes that the app may write: `null` instead of values of another type and of malformed Unicode. */
const fittingIn = (changes: Attributes, types: Readonly<Record<string, AttributeType>>): Attributes =>
  Object.fromEntries(
    Object.keys(changes).map(name => [
      name,
      Object.hasOwn(types, name) || !isWellFormed(changes[name]) ? null : (changes[name] ?? null),
    ]),
  )
