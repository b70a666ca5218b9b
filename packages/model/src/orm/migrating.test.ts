import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Migrate } from '../definition/migration.js'
import { offlineSdk } from './orm.fixture.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
beforeEach(async () => {
  device = await offlineSdk()
  addPerson(1, 'name').create({ name: 'Ada Lovelace' })
})
afterEach(() => device.close())

const addPerson = (version: number, attribute: string, migrate?: Migrate) =>
  device.sdk.addModel('Person', model => {
    model.setModelProperty(attribute)
    model.onMigrate(migrate)
    model.set('schema_version', version)
  })

const stored = () =>
  device.sdk
    .getModel('Person')
    ?.find('all')
    .map(({ attributes }) => attributes)

describe('onMigrate of NewORMModel', () => {
  test('gets objects by id, as the documents show', () => {
    addPerson(2, 'last', (_old, _new, database) => {
      for (const { id, attributes } of database.objects()) {
        const [name = '', last = ''] = String(attributes['name'] ?? '').split(' ')
        database.change(id, { name, last })
      }
    })
    expect(stored()).toEqual([{ name: 'Ada', last: 'Lovelace' }])
  })

  test('gets the former name of the id as well', () => {
    addPerson(2, 'last', (_old, _new, database) => {
      for (const { object, attributes } of database.objects())
        database.change(object, { last: String(attributes['name']).slice(4) })
    })
    expect(stored()).toEqual([{ name: 'Ada Lovelace', last: 'Lovelace' }])
  })

  test.each<readonly [string, Migrate]>([
    ['change', (_old, _new, database) => database.change(wrong(database), { last: 'L' })],
    ['destroy', (_old, _new, database) => database.destroy(wrong(database))],
    ['get', (_old, _new, database) => database.get(wrong(database))],
    ['change of a row', (_old, _new, database) => database.change([...database.objects()][0] as never, { last: 'L' })],
  ])('refuses %s without an id, and stores nothing', (_what, migrate) => {
    const noId = expect.objectContaining({
      code: 'value_not_allowed',
      message: expect.stringMatching(/^Person: expected the id of an object, which is text, got /),
    })
    const withOthers: Migrate = (before, after, database) => {
      database.create({ name: 'Grace' })
      migrate(before, after, database)
    }
    expect(() => addPerson(2, 'last', withOthers)).toThrow(noId)
    expect(stored()).toEqual([{ name: 'Ada Lovelace' }])
    expect(device.sdk.getModel('Person')?.getProperty('schema_version')).toBe('1')
  })

  test('refuses anything but a function', () => {
    for (const given of [null, 'split', {}])
      expect(() => addPerson(2, 'last', given as never)).toThrow(
        expect.objectContaining({
          code: 'definition_invalid',
          message: expect.stringContaining('expected a function'),
        }),
      )
    expect(stored()).toEqual([{ name: 'Ada Lovelace' }])
  })
})

/** Reads the id by a name that objects do not have. */
function wrong(database: Parameters<Migrate>[2]): string {
  const [row] = [...database.objects()]
  return (row as unknown as { readonly key: string }).key
}
