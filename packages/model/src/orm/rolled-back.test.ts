import { afterEach, describe, expect, test } from '@jest/globals'
import type { Sdk } from '../sdk/sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { DRIVERS, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: Sdk[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

type Types = Readonly<Record<string, string>>

describe.each(DRIVERS)('a lower schema_version, over %s', driver => {
  async function device(isFixed: boolean) {
    const [server, drive] = [new FakeServer(), await driveOn(driver, directories.make())]
    return {
      server,
      async open(version: number, attributes: Types) {
        for (const sdk of opened.splice(0)) await sdk.close()
        const { sdk } = openOn(drive, server)
        opened.push(sdk)
        const model = sdk.addModel('M', one => {
          if (isFixed) one.enable('fixed_schema')
          one.enable('sync')
          for (const [name, type] of Object.entries(attributes)) one.setModelProperty(name, type)
          one.set('schema_version', version)
          one.onMigrate(() => void 0)
        })
        if (!sdk.isLoggedIn()) await sdk.login('ada', 'ada')
        const rows = () => model.find('all').map(record => ({ ...record.attributes }))
        return { sdk, model, rows }
      },
    }
  }

  test.each([true, false])(
    'opens where it only lacks additions, and keeps unknown attributes (fixed schema: %s)',
    async isFixed => {
      const { server, open } = await device(isFixed)
      const first = await open(2, { a: 'String', n: 'Integer' })
      server.write('M', { x: { a: 'A', n: 1 } })
      await first.sdk.sync()
      first.model.create({ a: 'mine', n: 7 })
      const second = await open(1, { a: 'String' })
      second.model.find('all')[0]?.update_attributes({ a: 'changed' })
      second.model.create({ a: 'late' })
      expect(second.model.find('count', { conditions: { a: 'changed' } })).toBe(1)
      server.write('M', { y: { a: 'B', n: 5 } })
      await second.sdk.sync()
      const third = await open(2, { a: 'String', n: 'Integer' })
      expect(third.rows()).toEqual([{ a: 'changed', n: 1 }, { a: 'mine', n: 7 }, { a: 'late' }, { a: 'B', n: 5 }])
      expect(third.model.find('all', { conditions: ['n > ?', 4] })).toHaveLength(2)
      expect(Object.values(server.live('M'))).toContainEqual({ a: 'mine', n: 7 })
    },
  )

  test.each([true, false])(
    'reads and syncs but refuses writes where the file lacks attributes (fixed schema: %s)',
    async isFixed => {
      const { server, open } = await device(isFixed)
      const first = await open(2, { first: 'String', n: 'Integer' })
      server.write('M', { x: { first: 'Ada', n: 12 } })
      await first.sdk.sync()
      first.model.create({ first: 'Grace', n: 3 })
      const second = await open(1, { name: 'String', n: 'String' })
      const refused = expect.objectContaining({ code: 'schema_newer', details: { stored: 2, schemaVersion: 1 } })
      expect(() => second.model.create({ name: 'x' })).toThrow(refused)
      expect(() => second.model.find('all')[0]?.update_attributes({ n: '1' })).toThrow(refused)
      expect(() => second.model.find('all')[0]?.destroy()).toThrow(refused)
      expect(() => second.model.delete_all()).toThrow(refused)
      expect(second.model.find('all', { conditions: { n: '12' } }).map(one => one.get('first'))).toEqual(['Ada'])
      server.write('M', { y: { first: 'Linus', n: 4 } })
      await second.sdk.sync()
      expect(second.sdk.changes()).toEqual([])
      const third = await open(2, { first: 'String', n: 'Integer' })
      expect(third.rows()).toEqual([
        { first: 'Ada', n: 12 },
        { first: 'Grace', n: 3 },
        { first: 'Linus', n: 4 },
      ])
    },
  )
})

test('a change waits for an unsent object of a model that the older version does not open', async () => {
  const [server, drive] = [new FakeServer(), await driveOn('better-sqlite3', directories.make())]
  const open = (version: number) => {
    const { sdk } = openOn(drive, server)
    opened.push(sdk)
    const owner = version > 1 ? sdk.addModel('Owner', model => model.enable('sync')) : undefined
    const child = sdk.addModel('Child', model => {
      model.enable('sync')
      if (version > 1) model.setBelongsTo('owner', 'Owner')
      model.set('schema_version', version)
    })
    return { sdk, owner, child }
  }
  server.decide = ({ operation }, source) => (operation === 'create' && source === 'Owner' ? { link: 'real' } : {})
  const newer = open(2)
  await newer.sdk.login('ada', 'ada')
  const owner = newer.owner?.create({ name: 'Ada' })
  newer.child.create({ owner: owner?.object ?? '' })
  await opened.pop()?.close()
  const older = open(1)
  await older.sdk.sync()
  expect([server.live('Child'), older.sdk.changes()]).toMatchObject([{}, [{ model: 'Owner' }, { model: 'Child' }]])
  await opened.pop()?.close()
  const again = open(2)
  await again.sdk.sync()
  expect(Object.values(server.live('Child'))).toEqual([{ owner: 'real' }])
  expect(again.sdk.changes()).toEqual([])
})
