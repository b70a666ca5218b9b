import type { Attributes, AttributeValue } from '@godwit/protocol'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { textOf } from '../query/operand.js'
import { EVERYTHING } from '../query/query-tree.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

test('a unique index refuses duplicates of the app, and reports those of the server', async () => {
  const server = new FakeServer()
  const indexes = [{ name: 'once', attributes: ['name'], unique: true }]
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, [definition('City', { indexes })])
  opened.push(device)
  const cities = device.device.find('City') as Records
  const reported: unknown[] = []
  device.parts.events.listen(event => event.kind === 'duplicate' && reported.push(event))
  await device.sdk.login('ada', 'ada')
  cities.insert({ name: 'Paris' }, 'mine')
  server.write('City', { theirs: { name: 'Paris' }, other: { name: 'Rome' } })
  await device.sdk.sync()
  expect(cities.count(EVERYTHING)).toBe(3)
  expect(reported).toContainEqual({ kind: 'duplicate', source: 'City', index: 'once', objects: ['theirs', 'mine'] })
  expect(() => cities.insert({ name: 'Rome' })).toThrow(expect.objectContaining({ code: 'not_unique' }))
})

const local = { partition: 'local', syncType: 'none' } as const

test('an edit is checked against the unique indexes of the attributes that it changes', async () => {
  const device = openOn(await driveOn('better-sqlite3', directories.make()), new FakeServer(), [])
  opened.push(device)
  const cities = device.device.define(definition('City', local))
  const [one] = [1, 2].map(() => cities.insert({ name: 'Paris', country: 'FR' }).object) as [string]
  const indexes = [{ name: 'once', attributes: ['name', 'country'], unique: true }]
  device.device.define(definition('City', { ...local, indexes }))
  cities.insert({ name: 'Rome', country: 'IT' })
  const other = cities.insert({ name: 'Roma', country: 'IT' }).object
  expect(cities.change(one, { people: 5 })?.attributes).toMatchObject({ people: 5 })
  expect(() => cities.change(other, { name: 'Rome', people: 5 })).toThrow(
    expect.objectContaining({ code: 'not_unique' }),
  )
  expect(cities.change(other, { name: 'Rome', country: null })?.attributes).toEqual({ name: 'Rome' })
})

test('values of equal text are equal in a unique index', async () => {
  const device = openOn(await driveOn('better-sqlite3', directories.make()), new FakeServer(), [])
  opened.push(device)
  const indexes = [{ name: 'once', attributes: ['a', 'b'], unique: true }]
  const records = device.device.define(definition('Pair', { ...local, indexes, attributes: { b: 'Varchar' } }))
  const a = fc.constantFrom<AttributeValue>([], ['x'], ['y'], '["x"]', { x: 1 }, [{ x: 1 }], 1, '1', [1], true, null)
  const all = fc.array(fc.record({ a, b: fc.constantFrom('x', 'y') }), { maxLength: 8 })
  const textsOf = (one: Attributes) => [one['a'] ?? null, one['b'] ?? null].map(textOf)
  fc.assert(
    fc.property(all, given => {
      records.destroyAll(EVERYTHING)
      const saved = new Set<string>()
      for (const one of given) {
        const texts = textsOf(one)
        const key = JSON.stringify(texts)
        if (saved.has(key) && !texts.includes(null))
          expect(() => records.insert(one)).toThrow('the index once is unique')
        else records.insert(one)
        saved.add(key)
      }
    }),
  )
})
