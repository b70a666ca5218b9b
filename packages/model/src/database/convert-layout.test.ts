import { afterEach, describe, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { DRIVERS, definition, driveOn, type Opened, openOn, temporaryDirectories } from '../testing/open-device.js'
import type { Driver } from './driver.js'

const directories = temporaryDirectories()
const opened: Opened[] = []
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

/** The tables of layout 0, with what the tables of now hold. */
function backToLayout0(driver: Driver): void {
  const column = (name: string) => `"a_${name}"`
  driver.exec(`DROP TABLE user."bag_Bag"; DROP TABLE user."fixed_Fixed"; PRAGMA user.user_version = 0;
    CREATE TABLE user."bag_Bag" (seq INTEGER PRIMARY KEY, object TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, pass INTEGER NOT NULL, attributes TEXT NOT NULL);
    CREATE INDEX user."index_Bag_byN" ON "bag_Bag" ("attributes" ->> '$."n"');
    CREATE TABLE user."fixed_Fixed" (seq INTEGER PRIMARY KEY, object TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, pass INTEGER NOT NULL, "a_a" , "a_n" INTEGER, "a_f" REAL, "a_yes" INTEGER);
    CREATE INDEX user."index_Fixed_byN" ON "fixed_Fixed" (CASE WHEN "a_n" < '' THEN "a_n" END)`)
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const bag = driver.prepare('INSERT INTO user."bag_Bag" VALUES (?, ?, ?, ?, ?)')
  bag.run(3, 'y', 2, 1, JSON.stringify({ ...odd, other: { deep: true } }))
  bag.run(7, 'x', 0, 0, JSON.stringify({ ...plain, a: 'mine' }))
  const fixed = driver.prepare(
    `INSERT INTO user."fixed_Fixed" (seq, object, version, pass, ${Object.keys(types).map(column).join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  fixed.run(3, 'y', 4, 1, 7, json('12'), json([1]), json('perhaps'))
  fixed.run(7, 'x', 0, 0, 'mine', 5, 0.5, 1)
}

describe.each(DRIVERS)('a device of the layout before, over %s', name => {
  test('has its rows in their order, its versions, its unsent changes and its indexes', async () => {
    const [server, drive] = [new FakeServer(), await driveOn(name, directories.make())]
    const open = () => {
      const device = openOn(drive, server, definitions)
      opened.push(device)
      return device
    }
    const before = open()
    await before.sdk.login('ada', 'ada')
    for (const model of ['Bag', 'Fixed'])
      server.write(model, { y: { ...odd, ...(model === 'Bag' && { other: { deep: true } }) }, x: plain })
    await before.sdk.sync()
    for (const model of ['Bag', 'Fixed']) before.device.find(model)?.change('x', { a: 'mine' })
    await opened.splice(0)[0]?.sdk.close()
    const driver = drive.open('device.sqlite')
    driver.attach('user.sqlite', 'user')
    backToLayout0(driver)
    driver.close()

    for (let opening = 0; opening < 2; opening++) {
      const { device, parts, sdk } = open()
      for (const model of ['Bag', 'Fixed']) {
        const records = device.find(model) as Records
        expect(records.read(EVERYTHING).map(({ object, attributes }) => [object, { ...attributes }])).toEqual([
          ['y', { ...odd, ...(model === 'Bag' && { other: { deep: true } }) }],
          ['x', { ...plain, a: 'mine' }],
        ])
        expect(parts.registry.get(model)?.rows.stamp('y')).toEqual({ version: model === 'Bag' ? 2 : 4, pass: 1 })
        expect(device.changes(model)).toMatchObject([{ object: 'x', operation: 'update', attributes: { a: 'mine' } }])
        const plan = parts.database
          .prepare(`EXPLAIN QUERY PLAN SELECT seq FROM ${parts.registry.get(model)?.shape.table} WHERE a_n = 12`)
          .all()
        expect(plan[0]?.['detail']).toContain(`index_${model}_byN`)
      }
      if (opening === 0) await opened.splice(0)[0]?.sdk.close()
      else {
        await sdk.sync()
        for (const model of ['Bag', 'Fixed']) expect(server.live(model)['x']).toEqual({ ...plain, a: 'mine' })
      }
    }
  })
})
