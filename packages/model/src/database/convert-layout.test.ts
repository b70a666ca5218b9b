import { afterEach, describe, expect, test } from '@jest/globals'
import { stateOf } from '../outbox/object-state.js'
import { EVERYTHING } from '../query/query.js'
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
import type { Driver } from './driver.js'
import type { OpenModel } from './models.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const types = { a: 'String', n: 'Integer', f: 'Float', yes: 'Boolean' } as const
const indexes = [{ name: 'byN', attributes: ['n'], unique: false }]
const definitions = [
  definition('Bag', { attributes: types, indexes }),
  definition('Fixed', { storage: 'fixed', freezed: true, attributes: types, indexes }),
]
const plain = { a: 'A', n: 5, f: 0.5, yes: true }
const odd = { a: 7, n: '12', f: [1], yes: 'perhaps' }
const other = { other: { deep: true } }

/** Layout 1: what is beneath changes in a separate table, an index of changes by object, rows that name none. */
function backToLayout1(driver: Driver): void {
  const entry = 'entry, model, object, operation, attributes, was, seen, "key", number, state, sent, whole'
  const isLast = 'NOT EXISTS (SELECT 1 FROM user.outbox AS later WHERE later.first = outbox.entry)'
  driver.exec(`PRAGMA user.user_version = 1;
    CREATE TABLE user.beneath (
      model TEXT, object TEXT, version INTEGER NOT NULL, pass INTEGER NOT NULL, attributes TEXT NOT NULL, dead INTEGER NOT NULL, PRIMARY KEY (model, object)) WITHOUT ROWID;
    INSERT INTO user.beneath SELECT model, object, version, pass, ifnull(beneath, '${JSON.stringify(plain)}'), dead FROM user.outbox WHERE version IS NOT NULL AND (beneath IS NOT NULL OR ${isLast});
    ALTER TABLE user.outbox RENAME TO new_outbox;
    CREATE TABLE user.outbox (
      entry INTEGER PRIMARY KEY, model TEXT NOT NULL, object TEXT NOT NULL, operation TEXT NOT NULL, attributes TEXT NOT NULL, was TEXT NOT NULL,
      seen INTEGER, "key" TEXT, number INTEGER, state TEXT NOT NULL, sent INTEGER NOT NULL, whole TEXT);
    INSERT INTO user.outbox SELECT ${entry} FROM user.new_outbox;
    DROP TABLE user.new_outbox;
    CREATE INDEX user.outbox_object ON outbox (model, object, entry);
    CREATE INDEX user.outbox_number ON outbox (model, number) WHERE number IS NOT NULL;
    ALTER TABLE user."bag_Bag" DROP COLUMN entry; ALTER TABLE user."fixed_Fixed" DROP COLUMN entry`)
}

/** The tables of layout 0, with what the tables of layout 1 hold: `made` is the id of an unsent object. */
function backToLayout0(driver: Driver, made: string): void {
  backToLayout1(driver)
  const column = (name: string) => `"a_${name}"`
  driver.exec(`DROP TABLE user."bag_Bag"; DROP TABLE user."fixed_Fixed"; PRAGMA user.user_version = 0;
    CREATE TABLE user."bag_Bag" (seq INTEGER PRIMARY KEY, object TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, pass INTEGER NOT NULL, attributes TEXT NOT NULL);
    CREATE INDEX user."index_Bag_byN" ON "bag_Bag" ("attributes" ->> '$."n"');
    CREATE TABLE user."fixed_Fixed" (seq INTEGER PRIMARY KEY, object TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, pass INTEGER NOT NULL, "a_a" , "a_n" INTEGER, "a_f" REAL, "a_yes" INTEGER);
    CREATE INDEX user."index_Fixed_byN" ON "fixed_Fixed" (CASE WHEN "a_n" < '' THEN "a_n" END)`)
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const bag = driver.prepare('INSERT INTO user."bag_Bag" VALUES (?, ?, ?, ?, ?)')
  bag.run(3, 'y', 1, 1, JSON.stringify({ ...odd, ...other }))
  bag.run(7, 'x', 0, 0, JSON.stringify({ ...plain, a: 'mine' }))
  bag.run(8, 'w', 0, 0, JSON.stringify({ ...plain, a: 'second' }))
  bag.run(9, made, 0, 0, JSON.stringify(plain))
  const fixed = driver.prepare(
    `INSERT INTO user."fixed_Fixed" (seq, object, version, pass, ${Object.keys(types).map(column).join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  fixed.run(3, 'y', 1, 1, 7, json('12'), json([1]), json('perhaps'))
  fixed.run(7, 'x', 0, 0, 'mine', 5, 0.5, 1)
  fixed.run(8, 'w', 0, 0, 'second', 5, 0.5, 1)
  fixed.run(9, made, 0, 0, 'A', 5, 0.5, 1)
}

const LAYOUTS = DRIVERS.flatMap(driver => [0, 1].map(layout => [layout, driver] as const))

describe.each(LAYOUTS)('a device of layout %i, over %s', (layout, driverName) => {
  test('keeps its rows in order, versions, unsent changes, the rows beneath them, and indexes', async () => {
    const [server, drive] = [new FakeServer(), await driveOn(driverName, directories.make())]
    const made = 'made'
    const open = () => {
      const device = openOn(drive, server, definitions)
      opened.push(device)
      return device
    }
    const before = open()
    await before.sdk.login('ada', 'ada')
    for (const model of ['Bag', 'Fixed']) {
      server.write(model, { y: { ...odd, ...(model === 'Bag' && other) } })
      server.write(model, { x: plain, w: plain, z: plain })
    }
    await before.sdk.sync()
    server.decide = () => ({ queue: true })
    for (const model of ['Bag', 'Fixed']) before.device.find(model)?.change('w', { a: 'first' })
    await before.sdk.sync()
    for (const model of ['Bag', 'Fixed']) {
      const records = before.device.find(model)
      records?.change('w', { a: 'second' })
      records?.change('x', { a: 'mine' })
      records?.destroy('z')
      records?.insert(plain, made)
    }
    const unsent = before.device.changes()
    const beneathOf = ({ parts }: OpenedDevice, model: string, object: string) => {
      const { beneath } = stateOf(parts.registry.get(model) as OpenModel, object)
      return beneath && { ...beneath, attributes: { ...beneath.attributes } }
    }
    await opened.splice(0)[0]?.sdk.close()
    const driver = drive.open('device.sqlite')
    driver.attach('user.sqlite', 'user')
    if (layout === 0) backToLayout0(driver, made)
    else backToLayout1(driver)
    driver.close()

    for (let opening = 0; opening < 2; opening++) {
      const now = open()
      const { device, parts, sdk } = now
      for (const model of ['Bag', 'Fixed']) {
        const records = device.find(model) as Records
        const shown = records.read(EVERYTHING).map(({ object, attributes }) => [object, { ...attributes }])
        const expected = [
          ['y', { ...odd, ...(model === 'Bag' && other) }],
          ['x', { ...plain, a: 'mine' }],
          ['w', { ...plain, a: 'second' }],
          [made, plain],
        ]
        expect(layout === 0 ? shown : new Map(shown as [])).toEqual(layout === 0 ? expected : new Map(expected as []))
        expect(parts.registry.get(model)?.rows.stamp('y')).toEqual({ version: 1, pass: 1, entry: null })
        const row = { version: 2, pass: 1, dead: false, attributes: plain }
        expect(['w', 'x', 'z'].map(object => beneathOf(now, model, object))).toEqual([row, row, row])
        expect(beneathOf(now, model, made)).toBeUndefined()
        const plan = parts.database
          .prepare(`EXPLAIN QUERY PLAN SELECT seq FROM ${parts.registry.get(model)?.shape.table} WHERE a_n = 12`)
          .all()
        expect(plan[0]?.['detail']).toContain(`index_${model}_byN`)
      }
      expect(device.changes()).toEqual(unsent)
      if (opening === 0) await opened.splice(0)[0]?.sdk.close()
      else {
        for (const model of ['Bag', 'Fixed']) server.decideQueued(model)
        server.decide = () => ({})
        await sdk.sync()
        await sdk.sync()
        for (const model of ['Bag', 'Fixed']) {
          const shown = device.find(model)?.read(EVERYTHING) ?? []
          const live = Object.fromEntries(shown.map(({ object, attributes }) => [object, attributes]))
          expect(live).toEqual(server.live(model))
          expect(live).toMatchObject({ x: { a: 'mine' }, w: { a: 'second' }, [made]: plain })
          expect(live['z']).toBeUndefined()
          expect(device.find(model)?.anyChanges()).toBe(false)
        }
      }
    }
  })
})

test.each(DRIVERS)('a device of a newer layout is refused and left as it is, over %s', async name => {
  const [server, drive] = [new FakeServer(), await driveOn(name, directories.make())]
  const open = () => {
    opened.push(openOn(drive, server, definitions))
    return opened.at(-1) as OpenedDevice
  }
  open().device.find('Bag')?.insert(plain, 'kept')
  await opened.splice(0)[0]?.sdk.close()
  const write = (layout: number) => {
    const driver = drive.open('device.sqlite')
    driver.attach('user.sqlite', 'user')
    driver.exec(`PRAGMA user.user_version = ${layout}`)
    driver.close()
  }
  write(1000)
  expect(open).toThrow(/newer version of the app: expected layout \d+ or older, found 1000/)
  write(2)
  expect(open().device.find('Bag')?.read(EVERYTHING)).toMatchObject([{ object: 'kept' }])
})
