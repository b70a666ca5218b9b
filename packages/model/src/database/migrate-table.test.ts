import { afterEach, describe, expect, test } from '@jest/globals'
import type { Definition } from '../definition/definition.js'
import { EVERYTHING } from '../query/query-tree.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import {
  DRIVERS,
  definition,
  driveOn,
  type OpenedDevice,
  openOn,
  temporaryDirectories,
} from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

describe.each(DRIVERS)('a changed definition at the next opening, over %s', driver => {
  /** Returns a server and a function that reopens the same directory with another definition of the model. */
  async function device() {
    const [server, drive] = [new FakeServer(), await driveOn(driver, directories.make())]
    return {
      server,
      async open(one: Definition) {
        for (const { sdk } of opened.splice(0)) await sdk.close()
        const device = openOn(drive, server, [one])
        opened.push(device)
        return { sdk: device.sdk, parts: device.parts, records: device.device.find(one.name) as Records }
      },
    }
  }
  const displayed = (records: Records) => records.read(EVERYTHING).map(({ attributes }) => ({ ...attributes }))
  const fixed = { storage: 'fixed', freezed: true } as const

  test('rows and unsent changes survive new, lost and converted columns', async () => {
    const { server, open } = await device()
    const first = await open(definition('M', { ...fixed, attributes: { a: 'String', b: 'String', c: 'Integer' } }))
    await first.sdk.login('ada', 'ada')
    server.write('M', { x: { a: 'A', b: '12', c: 1 } })
    await first.sdk.sync()
    first.records.insert({ a: 'mine', b: '7', c: 2 })
    const second = await open(
      definition('M', {
        ...fixed,
        schemaVersion: 2,
        attributes: { a: 'String', b: 'Integer', d: 'Boolean' },
        indexes: [{ name: 'byB', attributes: ['b'], unique: false }],
      }),
    )
    expect(displayed(second.records)).toEqual([
      { a: 'A', b: 12 },
      { a: 'mine', b: 7 },
    ])
    expect(second.records.anyChanges()).toBe(true)
    await second.sdk.sync()
    expect(Object.values(server.live('M'))).toEqual([
      { a: 'A', b: '12', c: 1 },
      { a: 'mine', b: '7', c: 2 },
    ])
  })

  test('an attribute that a frozen model skipped arrives once it is declared', async () => {
    const { server, open } = await device()
    const first = await open(definition('M', { ...fixed, attributes: { a: 'String' } }))
    await first.sdk.login('ada', 'ada')
    server.write('M', { x: { a: 'A', late: 'there' } })
    await first.sdk.sync()
    expect(displayed(first.records)).toEqual([{ a: 'A' }])
    const second = await open(definition('M', { ...fixed, attributes: { a: 'String', late: 'String' } }))
    await second.sdk.sync()
    expect(displayed(second.records)).toEqual([{ a: 'A', late: 'there' }])
  })

  test.each([{}, fixed])('values of an attribute of another type are converted: %j', async storage => {
    const { open } = await device()
    const local = { ...storage, partition: 'local', syncType: 'none' } as const
    const attributes = { a: 'String', age: 'String', big: 'String', on: 'String' } as const
    const first = await open(definition('M', { ...local, attributes }))
    first.records.insert({ a: '1', age: '36', big: '12345678901234567890', on: 'true' })
    const now = { a: 'String', age: 'Integer', big: 'Integer', on: 'Boolean' } as const
    const second = await open(definition('M', { ...local, schemaVersion: 2, attributes: now }))
    expect(displayed(second.records)).toEqual([{ a: '1', age: 36, big: '12345678901234567890', on: true }])
  })

  test('values of an attribute that a property bag declares later are converted', async () => {
    const { open } = await device()
    const local = { partition: 'local', syncType: 'none' } as const
    const first = await open(definition('M', local))
    first.records.insert({ age: '36', other: '7' })
    const second = await open(definition('M', { ...local, schemaVersion: 2, attributes: { age: 'Integer' } }))
    expect(displayed(second.records)).toEqual([{ age: 36, other: '7' }])
  })

  test('a property bag becomes fixed, and a fixed model a property bag', async () => {
    const { open } = await device()
    const first = await open(definition('M', { partition: 'local', syncType: 'none' }))
    first.records.insert({ a: 'A', n: '5', other: 1 })
    const second = await open(
      definition('M', { partition: 'local', syncType: 'none', ...fixed, attributes: { a: 'String', n: 'Integer' } }),
    )
    expect(displayed(second.records)).toEqual([{ a: 'A', n: 5 }])
    const third = await open(definition('M', { partition: 'local', syncType: 'none' }))
    expect(displayed(third.records)).toEqual([{ a: 'A', n: 5 }])
  })

  test('a local model that begins to sync sends its rows', async () => {
    const { server, open } = await device()
    const first = await open(definition('M', { partition: 'local', syncType: 'none' }))
    const { object } = first.records.insert({ a: 'A' })
    const second = await open(definition('M'))
    await second.sdk.login('ada', 'ada')
    await second.sdk.sync()
    expect(server.live('M')).toEqual({ [object]: { a: 'A' } })
  })

  test('unsent changes move with their model to another partition', async () => {
    const { server, open } = await device()
    const first = await open(definition('M'))
    await first.sdk.login('ada', 'ada')
    server.write('M', { x: { a: 'A' } })
    await first.sdk.sync()
    first.records.change('x', { a: 'mine' })
    const second = await open(definition('M', { partition: 'app' }))
    expect(displayed(second.records)).toEqual([{ a: 'mine' }])
    await second.sdk.sync()
    expect(server.live('M')).toEqual({ x: { a: 'mine' } })
    expect(second.records.anyChanges()).toBe(false)
  })

  test('the same definition changes nothing', async () => {
    const { server, open } = await device()
    const one = definition('M', { ...fixed, attributes: { a: 'String' } })
    const first = await open(one)
    await first.sdk.login('ada', 'ada')
    await first.sdk.sync()
    const before = first.parts.registry.scopes.user.sources.get('M')
    const second = await open(one)
    expect(second.parts.registry.scopes.user.sources.get('M')).toEqual(before)
    expect(server.requests.filter(request => request.includes('/app/v1/M'))).toHaveLength(1)
  })

  test('another schema_version adds and drops indexes', async () => {
    const { open } = await device()
    const index = (name: string, attribute: string) => ({ name, attributes: [attribute], unique: false })
    const one = { ...fixed, attributes: { a: 'String', b: 'String' } } as const
    await open(definition('M', { ...one, indexes: [index('byA', 'a')] }))
    const { parts } = await open(definition('M', { ...one, schemaVersion: 2, indexes: [index('byB', 'b')] }))
    const names = parts.database.prepare("SELECT name FROM user.sqlite_master WHERE type = 'index'").all()
    expect(names.map(({ name }) => name).filter(name => String(name).startsWith('index_M'))).toEqual(['index_M_byB'])
  })

  test('indexes of any name stay apart, within a model and between models', async () => {
    const { open } = await device()
    const index = (name: string, attribute: string) => ({ name, attributes: [attribute], unique: false })
    const local = { partition: 'local', syncType: 'none' } as const
    const order = definition('Order', { ...local, indexes: [index('Item_name', 'x'), index('item_NAME', 'y')] })
    const item = definition('Order_Item', { ...local, indexes: [index('name', 'z')] })
    const indexesOf = ({ parts }: Pick<OpenedDevice, 'parts'>, table: string) =>
      parts.database
        .prepareForeign(
          "SELECT name FROM local.sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
        )
        .arrays(table)
        .flat()
    const first = await open(order)
    first.parts.device.define(item)
    expect(indexesOf(first, 'bag_Order')).toEqual(['index_Order_Item_name', 'index_Order_item_NAME_2'])
    expect(indexesOf(first, 'bag_Order_Item')).toEqual(['index_Order_Item_name_3'])
    const second = await open(definition('Order', { ...local, schemaVersion: 1, indexes: [index('name', 'z')] }))
    second.parts.device.define(item)
    expect(indexesOf(second, 'bag_Order')).toEqual(['index_Order_name'])
    second.parts.device.define(definition('Order_Item', { ...local, schemaVersion: 1 }))
    expect([indexesOf(second, 'bag_Order'), indexesOf(second, 'bag_Order_Item')]).toEqual([['index_Order_name'], []])
  })

  test('a model keeps the case of its name as long as the device has its table', async () => {
    const { open } = await device()
    const local = { partition: 'local', syncType: 'none' } as const
    const { records } = await open(definition('note', local))
    records.insert({ text: 'kept' })
    await expect(open(definition('Note', local))).rejects.toMatchObject({
      code: 'definition_invalid',
      message: expect.stringContaining('This device already has a model note: expected that name'),
    })
    expect(displayed((await open(definition('Note', { ...local, ...fixed }))).records)).toEqual([])
    expect(displayed((await open(definition('note', local))).records)).toEqual([{ text: 'kept' }])
  })

  test('migrate gets the old version, the new version and the old rows', async () => {
    const { server, open } = await device()
    const first = await open(
      definition('M', { ...fixed, schemaVersion: 1, attributes: { name: 'String', year: 'String' } }),
    )
    await first.sdk.login('ada', 'ada')
    server.write('M', { x: { name: 'Ada Lovelace', year: '1815' } })
    await first.sdk.sync()
    const mine = first.records.insert({ name: 'Grace Hopper', year: 'unknown' }).object
    const calls: unknown[] = []
    const second = await open({
      ...definition('M', {
        ...fixed,
        schemaVersion: 2.5,
        attributes: { first: 'String', last: 'String', year: 'Integer' },
      }),
      migrate(before, after, database) {
        for (const { id, attributes } of database.objects()) {
          calls.push([before, after, id, { ...attributes }, { ...database.get(id) }])
          const [first = '', last = ''] = String(attributes['name']).split(' ')
          database.change(id, { first, last })
        }
      },
    })
    expect(calls).toEqual([
      [1, 2.5, 'x', { name: 'Ada Lovelace', year: '1815' }, { year: 1815 }],
      [1, 2.5, mine, { name: 'Grace Hopper', year: 'unknown' }, { year: 'unknown' }],
    ])
    expect(displayed(second.records)).toEqual([
      { first: 'Ada', last: 'Lovelace', year: 1815 },
      { first: 'Grace', last: 'Hopper', year: 'unknown' },
    ])
    await second.sdk.sync()
    expect(server.live('M')['x']).toMatchObject({ first: 'Ada', last: 'Lovelace' })
  })

  test('a migration that fails leaves everything as it was', async () => {
    const { open } = await device()
    const local = { partition: 'local', syncType: 'none' } as const
    const old = definition('M', { ...local, ...fixed, attributes: { a: 'String', n: 'String' } })
    const first = await open(old)
    first.records.insert({ a: 'A', n: '5' })
    const failing: Definition = {
      ...definition('M', { ...local, ...fixed, schemaVersion: 2, attributes: { n: 'Integer' } }),
      migrate(_before, _after, database) {
        database.create({ n: 6 })
        throw new Error('not like this')
      },
    }
    await expect(open(failing)).rejects.toThrow('not like this')
    expect(displayed((await open(old)).records)).toEqual([{ a: 'A', n: '5' }])
  })

  test('a migration that returns a promise is refused and leaves everything as it was', async () => {
    const { open } = await device()
    const local = { partition: 'local', syncType: 'none' } as const
    const old = definition('M', { ...local, ...fixed, attributes: { a: 'String' } })
    const { records, parts, sdk } = await open(old)
    records.insert({ a: 'A' })
    const later = definition('M', { ...local, ...fixed, schemaVersion: 2, attributes: { b: 'String' } })
    const migrate = async () => {}
    const refused = expect.objectContaining({
      code: 'value_not_allowed',
      message: 'The migration of M is synchronous: expected a function that returns its result, got a promise.',
    })
    expect(() => parts.device.define({ ...later, migrate })).toThrow(refused)
    expect(() => {
      sdk.addModel('M', model => {
        model.onMigrate(migrate)
        model.set('schema_version', 2)
      })
    }).toThrow(refused)
    expect(displayed(records)).toEqual([{ a: 'A' }])
    await expect(open({ ...later, migrate })).rejects.toEqual(refused)
    expect(displayed((await open(old)).records)).toEqual([{ a: 'A' }])
  })

  test('a model in use stays as it was when its migration fails', async () => {
    const { open } = await device()
    const local = { partition: 'local', syncType: 'none' } as const
    const { records, parts } = await open(definition('M', { ...local, ...fixed, attributes: { a: 'String' } }))
    records.insert({ a: 'A' })
    const failing = definition('M', { ...local, ...fixed, schemaVersion: 2, attributes: { b: 'String' } })
    const migrate = () => {
      throw new Error('no')
    }
    expect(() => parts.device.define({ ...failing, migrate })).toThrow('no')
    expect(displayed(records)).toEqual([{ a: 'A' }])
    expect(records.insert({ a: 'B' }).attributes).toEqual({ a: 'B' })
  })

  test('an equal schema_version, however it is written, calls no migrate', async () => {
    const { open } = await device()
    let calls = 0
    const migrate = () => void calls++
    const versions = ['1.0', 1, '01', '1.5', 1.5]
    for (const version of versions) {
      const { sdk } = await open(definition('Other', { partition: 'local', syncType: 'none' }))
      const model = sdk.addModel('M', model => {
        model.onMigrate(migrate)
        model.set('schema_version', version)
      })
      model.create({ a: String(version) })
    }
    expect(calls).toBe(1)
  })
})
