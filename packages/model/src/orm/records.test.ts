import { readFileSync } from 'node:fs'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { addProducts, offlineSdk } from './orm.fixture.js'
import type { OrmModel } from './orm-model.js'
import { OrmRecord } from './orm-record.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
beforeEach(async () => {
  device = await offlineSdk()
})
afterEach(() => device.close())

describe.each(['bag', 'fixed'])('records of a %s model', storage => {
  let Product: OrmModel
  beforeEach(() => {
    Product = addProducts(device.sdk, storage, 'sync')
  })
  const stored = (record: OrmRecord) => Product.findById(record.object)?.attributes

  test('values are text by the methods, and of their types in attributes', () => {
    const phone = Product.create({ name: 'Phone', price: 170.5, stock: 4, fresh: true })
    for (const read of [(name: string) => phone.get(name), (name: string) => phone.getProperty(name)])
      expect(['name', 'price', 'stock', 'fresh', 'colour', 'toString'].map(read)).toEqual([
        'Phone',
        '170.5',
        '4',
        'true',
        undefined,
        undefined,
      ])
    expect(phone.attributes).toEqual({ name: 'Phone', price: 170.5, stock: 4, fresh: true })
    expect(Object.isFrozen(phone.attributes)).toBe(true)
    phone.setProperty('price', 1)
    expect(Object.isFrozen(phone.attributes)).toBe(true)
  })

  test('the properties of a record are its attributes', () => {
    const phone = Product.create({ name: 'Phone', stock: 4 })
    const all = { name: 'Phone', stock: '4', object: phone.object, source_id: '1' }
    expect([phone.vars(), phone.getAllProperties()]).toEqual([all, all])
    expect(phone.vars()['name']).toBe('Phone')
    expect(phone.getProperties(['stock', 'object', 'colour'])).toEqual({ stock: '4', object: phone.object })
    expect(['name', 'price', 'object', 'constructor'].map(name => phone.has(name))).toEqual([true, false, true, false])
    expect(Product.findById(phone.object)?.object).toBe(phone.object)
  })

  test('setProperty changes memory, save the database', () => {
    const phone = Product.make({ name: 'Phone' })
    phone.setProperty('stock', '4')
    expect([Product.getCount(), phone.getProperty('stock'), phone.get('stock')]).toEqual([0, '4', undefined])
    phone.save()
    expect([Product.getCount(), phone.get('stock'), stored(phone)]).toEqual([1, '4', { name: 'Phone', stock: 4 }])
    phone.setProperty('stock', null)
    expect([phone.has('stock'), phone.get('stock')]).toEqual([false, '4'])
    phone.save()
    expect(stored(phone)).toEqual({ name: 'Phone' })
  })

  test('save and update_attributes write what was set here, and keep concurrent writes', () => {
    const [mine, yours] = [Product.create({ name: 'Phone', price: 1 }), Product.find('first') as OrmRecord]
    yours.update_attributes({ price: 2, stock: 5 })
    mine.update_attributes({ name: 'Tablet' })
    expect(stored(mine)).toEqual({ name: 'Tablet', price: 2, stock: 5 })
    const [selected] = Product.find('all', { select: ['name'] })
    selected?.update_attributes({ fresh: false })
    expect(stored(mine)).toEqual({ name: 'Tablet', price: 2, stock: 5, fresh: false })
  })

  test('update_attributes also saves what was set earlier', () => {
    const phone = Product.create({ name: 'Phone' })
    phone.setProperty('stock', 1)
    phone.update_attributes({ price: 2 })
    expect(stored(phone)).toEqual({ name: 'Phone', stock: 1, price: 2 })
  })

  test('a destroyed record with selected attributes is restored with all its attributes', () => {
    const { object } = Product.create({ name: 'Phone', price: 1, stock: 4 })
    const selected = Product.find('first', { select: ['name'] }) as OrmRecord
    selected.destroy()
    selected.destroy()
    selected.setProperties({ name: 'Tablet', price: null })
    selected.save()
    expect([selected.object, stored(selected)]).toEqual([object, { name: 'Tablet', stock: 4 }])
    expect(selected.attributes).toEqual({ name: 'Tablet', stock: 4 })
  })

  test('what a refused update_attributes set is not in the next one', () => {
    Product.setSchemaIndex('byName', ['name'], true)
    const [phone, other] = [Product.create({ name: 'Phone' }), Product.create({ name: 'Other' })]
    other.setProperty('price', 3)
    expect(() => other.update_attributes({ name: 'Phone' })).toThrow(expect.objectContaining({ code: 'not_unique' }))
    expect(other.attributes).toEqual({ name: 'Other', price: 3 })
    other.update_attributes({ stock: 4 })
    expect([stored(phone), stored(other)]).toEqual([{ name: 'Phone' }, { name: 'Other', price: 3, stock: 4 }])
  })

  test('save restores a destroyed record; destroying it twice does nothing', () => {
    const phone = Product.create({ name: 'Phone' })
    phone.destroy()
    expect(phone.destroy()).toBeUndefined()
    expect([Product.getCount(), phone.get('name'), phone.attributes]).toEqual([0, undefined, { name: 'Phone' }])
    phone.save()
    expect(stored(phone)).toEqual({ name: 'Phone' })
    Product.make().destroy()
    expect(Product.getCount()).toBe(1)
  })

  test('an empty object has an id', () => {
    const records = [Product.create({}), Product.create(), Product.make()]
    for (const { object } of records) expect(object).toMatch(/^\d+$/)
    expect(new Set(records.map(({ object }) => object)).size).toBe(3)
    expect(Product.getCount()).toBe(2)
  })

  test('make returns an unsaved record of what it was given', () => {
    const made = Product.make({ name: 'Phone', price: '3.5' })
    expect(made).toBeInstanceOf(OrmRecord)
    expect([made.attributes, Product.getCount()]).toEqual([{ name: 'Phone', price: 3.5 }, 0])
  })

  test.each<[string, unknown]>([
    ['stock', 1.5],
    ['stock', 'many'],
    ['price', 'dear'],
    ['price', Number.NaN],
    ['fresh', 'yes'],
    ['fresh', 1],
    ['name', ['a']],
  ])('%s is not %j, and nothing is stored', (name, value) => {
    const invalidValue = expect.objectContaining({ code: 'attribute_invalid' })
    const attributes = { [name]: value as string }
    const phone = Product.create({ name: 'Phone' })
    for (const run of [
      () => Product.create(attributes),
      () => Product.make(attributes),
      () => phone.setProperty(name, value as string),
      () => phone.update_attributes({ price: 1, ...attributes }),
    ])
      expect(run).toThrow(invalidValue)
    phone.save()
    expect([Product.getCount(), stored(phone)]).toEqual([1, { name: 'Phone' }])
  })

  test('reserved names are never attributes', () => {
    const phone = Product.create({ name: 'Phone' })
    for (const name of ['', 'object', 'source_id', 'update_type', 'attrib_type']) {
      const refused = expect.objectContaining({ code: 'name_not_allowed' })
      expect(() => Product.create({ [name]: 'x' })).toThrow(refused)
      expect(() => phone.setProperty(name, 'x')).toThrow(refused)
      expect(() => Product.setModelProperty(name)).toThrow(refused)
    }
    expect(stored(phone)).toEqual({ name: 'Phone' })
  })

  test('findById takes an id that find would read as a query', () => {
    const records = device.opened.device.find('Product')
    for (const id of ['all', 'first', 'count']) records?.insert({ name: id }, id)
    for (const id of ['all', 'first', 'count']) expect(Product.findById(id)?.get('name')).toBe(id)
    expect(Product.findById('none')).toBeUndefined()
  })

  test('delete_all is all or nothing', () => {
    for (const stock of [1, 2, 3]) Product.create({ stock })
    expect(() =>
      device.sdk.transaction(() => {
        Product.delete_all()
        throw new Error('changed my mind')
      }),
    ).toThrow('changed my mind')
    expect(Product.getCount()).toBe(3)
    Product.delete_all({ conditions: { stock: [1, 2] } })
    expect(Product.find().map(record => record.get('stock'))).toEqual(['3'])
    expect(() => Product.delete_all({ conditions: ['stock = = ?', 1] })).toThrow()
    expect(Product.getCount()).toBe(1)
  })

  test('a record and its model report changes', () => {
    expect([Product.changed(), Product['changed?']()]).toEqual([false, false])
    const [one, two] = [Product.create({}), Product.make()]
    expect([one.changed(), one['changed?'](), two.changed(), two['changed?']()]).toEqual([true, true, false, false])
    expect([Product.changed(), Product['changed?']()]).toEqual([true, true])
  })

  test('Void is undefined', () => {
    const phone = Product.create({ name: 'Phone' })
    const answers = [
      Product.enable('sync'),
      Product.set('sync_priority', 2),
      Product.setModelProperty('colour'),
      Product.setBelongsTo('maker', 'Maker'),
      Product.setSchemaIndex('byColour', ['colour'], false),
      Product.setProperty('sync_priority', 3),
      Product.setProperties({ sync_priority: 4 }),
      Product.onSyncCreateError([phone.object], 'delete'),
      Product.onSyncUpdateError(phone.object, {}, {}, 'retry'),
      Product.onSyncDeleteError(phone.object, {}, 'retry'),
      phone.setProperty('name', 'a'),
      phone.setProperties({ name: 'b' }),
      phone.save(),
      phone.update_attributes({ name: 'c' }),
      phone.destroy(),
      Product.delete_all(),
      Product.deleteAll(),
    ]
    expect(answers.filter(answer => answer !== undefined)).toEqual([])
  })

  test('find_all returns attributes by id', () => {
    const [one, two] = [Product.create({ name: 'a', stock: 1 }), Product.create({})]
    expect(Product.find_all()).toEqual({ [one.object]: { name: 'a', stock: 1 }, [two.object]: {} })
  })
})

test('a frozen model refuses what is not declared; a fixed one is always frozen', () => {
  const define = (name: string, setting: (model: OrmModel) => void) =>
    device.sdk.addModel(name, model => {
      setting(model)
      model.setModelProperty('name')
    })
  const frozen = define('Frozen', model => model.set('freezed', true))
  const fixed = define('Fixed', model => {
    model.enable('fixed_schema')
    model.set('freezed', false)
  })
  expect(fixed.freezed).toBe(true)
  for (const model of [frozen, fixed]) {
    const unknown = expect.objectContaining({
      code: 'attribute_unknown',
      message: expect.stringContaining('expected one of name'),
    })
    expect(() => model.create({ name: 'a', colour: 'red' })).toThrow(unknown)
    const record = model.create({ name: 'a' })
    expect(() => record.setProperty('colour', 'red')).toThrow(unknown)
    expect(() => record.update_attributes({ name: 'b', colour: 'red' })).toThrow(unknown)
    expect(model.find().map(one => one.attributes)).toEqual([{ name: 'a' }])
  }
})

test('a bag keeps any JSON, and returns it as text', () => {
  const Note = device.sdk.addModel('Note')
  const attributes = {
    list: [1, { a: 'b' }],
    map: { deep: [true] },
    yes: true,
    big: 1e21,
    __proto__: 'plain',
    constructor: 'x',
  }
  const given = JSON.parse(JSON.stringify(attributes).replace('"yes"', '"__proto__":"plain","yes"'))
  const note = Note.create(given)
  expect(note.get('list')).toBe('[1,{"a":"b"}]')
  expect(note.get('map')).toBe('{"deep":[true]}')
  expect([note.get('yes'), note.get('big'), note.get('__proto__'), note.get('constructor')]).toEqual([
    'true',
    '1e+21',
    'plain',
    'x',
  ])
  expect(Note.find('count', { conditions: { list: '[1,{"a":"b"}]' } })).toBe(1)
  note.setProperty('__proto__', 'other')
  note.save()
  expect(Note.findById(note.object)?.getProperties(['__proto__'])).toEqual(Object.fromEntries([['__proto__', 'other']]))
})

test('methods are on the model or the record that they belong to', () => {
  const Product = device.sdk.addModel('Product')
  const record = Product.create({})
  const both = 'getProperty getProperties getAllProperties setProperty setProperties has vars changed? changed'.split(
    ' ',
  )
  const ofModel =
    'initModel enable set setModelProperty getModelProperty setBelongsTo getBelongsTo setSchemaIndex create make find findById find_by_sql find_all paginate delete_all deleteAll getCount count anyChangedObjects canModify can_modify hasChanges pushChanges push_changes onSyncCreateError onSyncUpdateError onSyncDeleteError onRefused client_id getBackendRefreshTime backend_refresh_time get_source_id get_source_name'.split(
      ' ',
    )
  const ofRecord = 'save update_attributes updateAttributes destroy get'.split(' ')
  const isMethod = (on: object) => (name: string) => typeof Reflect.get(on, name) === 'function'
  expect([...ofModel, ...both].filter(name => !isMethod(Product)(name))).toEqual([])
  expect([...ofRecord, ...both].filter(name => !isMethod(record)(name))).toEqual([])
  expect(ofModel.filter(isMethod(record))).toEqual([])
  expect(ofRecord.filter(isMethod(Product))).toEqual([])
})

test('deprecated methods say so and name their replacement', () => {
  verifies('model.deprecated.marked')

  const source = ['orm-model.ts', 'orm-record.ts']
    .map(file => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n')
  const names =
    'can_modify changed? client_id count deleteAll find_all backend_refresh_time get_source_id get_source_name push_changes updateAttributes'
  for (const name of names.split(' ')) {
    const method = new RegExp(
      `/\\*\\* @deprecated Use (the property )?\`[^\\n]*\\*/\\n  '?${name.replace('?', '\\?')}'?\\(`,
    )
    expect({ name, isMarked: method.test(source) }).toEqual({ name, isMarked: true })
  }
})
