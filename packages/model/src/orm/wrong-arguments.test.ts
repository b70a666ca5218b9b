import { isSyncError } from '@godwit/protocol'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { addProducts, offlineSdk } from './orm.fixture.js'
import { OrmModel } from './orm-model.js'
import { OrmRecord } from './orm-record.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
let Product: OrmModel
let phone: OrmRecord
beforeEach(async () => {
  device = await offlineSdk()
  Product = addProducts(device.sdk, 'bag', 'sync')
  phone = Product.create({ name: 'Phone' })
})
afterEach(() => device.close())

const WRONG: readonly unknown[] = [
  undefined,
  null,
  '',
  'a',
  7,
  true,
  [],
  ['a', null],
  [{}],
  {},
  { a: 1 },
  () => 1,
  Symbol.iterator,
]

type Methods = { readonly [name: string]: (...given: readonly unknown[]) => unknown }

/** Calls each method with wrong arguments, and returns the errors that say nothing about them. */
function bareErrorsOf(of: object, make: () => object): readonly string[] {
  const bare: string[] = []
  const names = Object.entries(Object.getOwnPropertyDescriptors(of))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names)
    for (const given of [...WRONG, phone].flatMap(one => [[one], ['name', one], [phone.object, one, one, 'retry']]))
      try {
        const target = make() as Methods
        void target[name]?.(...given)
      } catch (error) {
        if (!isSyncError(error) || error.code === 'database_failed')
          bare.push(`${name}(${given.map(textOf)}): ${error}`)
      }
  return bare
}

const textOf = (given: unknown): string => (given === phone ? 'record' : (JSON.stringify(given) ?? String(given)))

describe('wrong arguments of NewORMModel', () => {
  test('are named by the errors of a model, which blame neither the engine nor the database', () => {
    let made = 0
    expect(bareErrorsOf(OrmModel.prototype, () => new device.sdk.NewORMModel(`Model${made++}`))).toEqual([])
  })

  test('are named by the errors of a record, which blame neither the engine nor the database', () => {
    expect(bareErrorsOf(OrmRecord.prototype, () => Product.create({ name: 'Phone' }))).toEqual([])
  })

  test('an id is text: a record is no id', () => {
    const expected = expect.objectContaining({
      code: 'value_not_allowed',
      message: expect.stringMatching(/^Product: expected the id of an object, which is text, got /),
    })
    for (const wrong of [phone, 7, null] as never[]) {
      expect(() => Product.hasChanges(wrong)).toThrow(expected)
      expect(() => Product.canModify(wrong)).toThrow(expected)
      expect(() => Product.findById(wrong)).toThrow(expected)
      expect(() => Product.onSyncUpdateError(wrong, {}, {}, 'retry')).toThrow(expected)
      expect(() => Product.onSyncDeleteError(wrong, {}, 'retry')).toThrow(expected)
    }
  })

  test('the names of properties are a list', () => {
    const expected = expect.objectContaining({
      code: 'value_not_allowed',
      message: 'getProperties: expected a list of names, got "freezed".',
    })
    expect(() => Product.getProperties('freezed' as never)).toThrow(expected)
    expect(() => phone.getProperties('freezed' as never)).toThrow(expected)
  })

  test('overwrite is for blobs', () => {
    const expected = expect.objectContaining({
      code: 'definition_invalid',
      message: 'The option of label: expected the type Blob for overwrite, got String.',
    })
    expect(() => Product.setModelProperty('label', undefined, 'overwrite')).toThrow(expected)
    expect(Product.getModelProperty('label')).toBeNull()
    Product.setModelProperty('photo', 'blob', 'overwrite')
    expect(Product.getModelProperty('photo')).toEqual({ name: 'photo', type: 'Blob', option: 'overwrite' })
  })
})
