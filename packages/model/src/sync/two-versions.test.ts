import { afterEach, describe, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import { DRIVERS, definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const KINDS = [
  { kind: 'a bag', storage: 'bag', freezed: false },
  { kind: 'a fixed model', storage: 'fixed', freezed: false },
  { kind: 'a frozen model', storage: 'fixed', freezed: true },
] as const

/** Another connection on the same directory stands for another process. */
async function opener(server: FakeServer) {
  const directory = directories.make()
  return async (driver: (typeof DRIVERS)[number], model: ReturnType<typeof definition>) =>
    openOn(await driveOn(driver, directory), server, [model])
}

describe.each(DRIVERS)('on %s', driver => {
  test.each(KINDS)(
    'beside a process with a newer definition of $kind, an older one stores no row without its values',
    async ({ storage, freezed }) => {
      const server = new FakeServer()
      const open = await opener(server)
      const settings = { storage, freezed }
      const older = await open(
        driver,
        definition('Note', { ...settings, schemaVersion: 1, attributes: { text: 'String' } }),
      )
      await older.sdk.login('ada', 'ada')
      server.write('Note', { a: { text: 'A', color: 'red' } })
      await older.sdk.sync()
      const attributes = { text: 'String', color: 'String' } as const
      const newer = await open(driver, definition('Note', { ...settings, schemaVersion: 2, attributes }))
      await newer.sdk.sync()
      server.write('Note', { a: { text: 'A2', color: 'blue' }, b: { text: 'B', color: 'green' } })

      const { sources } = await older.sdk.sync()
      expect(sources).toMatchObject([{ source: 'Note', error: { code: 'reload_needed' } }])
      older.device.find('Note')?.insert({ text: 'by the older one' })
      await older.sdk.sync()
      await newer.sdk.sync()
      expect(Object.values(server.live('Note'))).toContainEqual({ text: 'by the older one' })
      for (const [object, row] of Object.entries(server.live('Note')))
        expect(newer.device.find('Note')?.get(object)?.attributes).toEqual(row)
      expect(newer.device.find('Note')?.count(EVERYTHING)).toBe(3)
      await older.sdk.close()

      const again = await open(
        driver,
        definition('Note', { ...settings, schemaVersion: 1, attributes: { text: 'String' } }),
      )
      server.write('Note', { c: { text: 'C', color: 'grey' } })
      await again.sdk.sync()
      expect(newer.device.find('Note')?.get('c')?.attributes).toEqual({ text: 'C', color: 'grey' })
      await again.sdk.close()
      await newer.sdk.close()
    },
  )
})
