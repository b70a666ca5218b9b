import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { offlineSdk } from './orm.fixture.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
beforeEach(async () => {
  device = await offlineSdk()
})
afterEach(() => device.close())

const made = (name = 'Product') => new device.sdk.NewORMModel(name)
const definitionInvalid = expect.objectContaining({ code: 'definition_invalid' })

test('new names a model; its first use, or initModel, defines it', () => {
  const [Product, Maker] = [made('Product'), made('Maker')]
  expect([Product.model_name, Product.loaded, Maker.loaded]).toEqual(['Product', false, false])
  Product.create({ name: 'Phone' })
  Maker.initModel()
  expect([Product.loaded, Maker.loaded]).toEqual([true, true])
  expect(() => made('')).toThrow(expect.objectContaining({ code: 'name_not_allowed' }))
})

test('addModel defines by a function; getModel finds the model, or returns null', () => {
  const { sdk } = device
  const Product = sdk.addModel('Product', model => model.setModelProperty('price', 'Float'))
  expect(Product.loaded).toBe(true)
  expect(sdk.getModel('Product')?.getModelProperty('price')?.type).toBe('Float')
  expect([sdk.getModel('Maker'), sdk.NewORMModel.getModel('Maker')]).toEqual([null, null])
})

test('another handle of a defined model shares its definition', () => {
  const Product = device.sdk.addModel('Product', model => {
    model.enable('fixed_schema')
    model.setModelProperty('name')
  })
  Product.create({ name: 'Phone' })
  const other = made('Product')
  expect([other.fixed_schema, other.getCount()]).toEqual([true, 1])
  other.setModelProperty('price', 'Float')
  expect(Product.getModelProperty('price')?.type).toBe('Float')
  expect(Product.find('first')?.attributes).toEqual({ name: 'Phone' })
})

test('an invalid definition leaves the previous one', () => {
  const Product = device.sdk.addModel('Product', model => {
    model.enable('fixed_schema')
    model.setModelProperty('name')
  })
  Product.create({ name: 'Phone' })
  expect(() => Product.setSchemaIndex('byColour', ['colour'])).toThrow('names colour: expected some of name')
  expect(() => Product.setSchemaIndex('by\0name', ['name'])).toThrow('must not hold NUL')
  expect(() => Product.setModelProperty('NAME')).toThrow('must differ by more than case')
  expect(() => device.sdk.addModel('Product', model => model.set('partition', 'moon'))).toThrow(definitionInvalid)
  expect(() => Product.setProperties({ sync_priority: 5, freezed: 'perhaps' })).toThrow(definitionInvalid)
  expect([Product.getModelProperty('NAME'), Product.sync_priority, Product.getCount()]).toEqual([null, 1000, 1])
})

test('set takes text and values', () => {
  const Product = made()
  Product.set('sync_priority', '5')
  Product.set('freezed', 'true')
  Product.set('schema_version', '1.0')
  expect([Product.sync_priority, Product.freezed, Product.getProperty('schema_version')]).toEqual([5, true, '1'])
  Product.set('sync_priority', 7)
  Product.set('freezed', false)
  Product.set('schema_version', 1.25)
  expect([Product.sync_priority, Product.freezed, Product.getProperty('schema_version')]).toEqual([7, false, '1.25'])
})

test.each([
  ['colour', 'red', 'partition, sync_type, sync_priority, freezed, schema_version'],
  ['partition', 'moon', 'local, user, app'],
  ['sync_type', 'sometimes', 'none, incremental, bulk_only'],
  ['freezed', 'perhaps', 'true or false'],
  ['sync_priority', 0, 'from 1'],
  ['sync_priority', '1.5', 'from 1'],
  ['sync_priority', Number.NaN, 'got NaN'],
  ['sync_priority', 5n, 'got 5n'],
  ['schema_version', 'new', 'a number'],
  ['schema_version', '', 'a number'],
])('set of %s to %p is refused with %s', (name, value, allowed) => {
  expect(() => made().set(name, value)).toThrow(
    expect.objectContaining({ code: 'definition_invalid', message: expect.stringContaining(allowed) }),
  )
})

test('types are read in any case', () => {
  const Product = made()
  for (const type of ['FLOAT', 'integer', 'vArChAr']) Product.setModelProperty(type, type)
  expect(Product.getModelProperty('FLOAT')).toEqual({ name: 'FLOAT', type: 'Float', option: null })
  expect(Product.getModelProperty('integer')?.type).toBe('Integer')
  expect(() => Product.setModelProperty('x', 'Money')).toThrow('String, Integer, Float, Boolean, Varchar, Blob')
  expect(() => Product.setModelProperty('x', 'Blob', 'keep')).toThrow('overwrite')
})

test('getModelProperty, get_source_id and get_source_name read a defined model', () => {
  const Product = device.sdk.addModel('Product', model => model.setModelProperty('photo', 'blob', 'overwrite'))
  expect(Product.getModelProperty('photo')).toEqual({ name: 'photo', type: 'Blob', option: 'overwrite' })
  expect(Product.getModelProperty('name')).toBeNull()
  expect(Product.get_source_id()).toEqual({ source_id: 40001 })
  expect(Product.get_source_name()).toEqual({ source_name: 'Product' })
})

test('the partition follows the sync type until it is set', () => {
  const [one, two, three] = [made('A'), made('B'), made('C')]
  one.enable('sync')
  expect(one.partition).toBe('user')
  two.set('sync_type', 'incremental')
  expect(two.partition).toBe('user')
  two.set('sync_type', 'none')
  expect(two.partition).toBe('local')
  three.set('partition', 'app')
  three.set('sync_type', 'incremental')
  three.enable('sync')
  expect([three.partition, three.sync_type]).toEqual(['app', 'incremental'])
})

test('source ids count per partition', () => {
  const idsIn = (partition: string) =>
    ['One', 'Two'].map(
      name => device.sdk.addModel(`${partition}${name}`, model => model.set('partition', partition)).source_id,
    )
  expect([idsIn('user'), idsIn('app'), idsIn('local')]).toEqual([
    [1, 2],
    [20001, 20002],
    [40001, 40002],
  ])
})

test('associations list children with their attribute; getBelongsTo returns the owner', () => {
  const { sdk } = device
  const Maker = sdk.addModel('Maker')
  const Product = sdk.addModel('Product', model => model.setBelongsTo('maker', 'Maker'))
  sdk.addModel('Shop', model => model.setBelongsTo('favourite', 'Maker'))
  expect(Maker.associations).toBe('Product,maker,Shop,favourite')
  expect([Product.getBelongsTo('maker'), Product.getBelongsTo('name')]).toEqual([['Maker'], null])
})

test('the properties of a model are its settings', async () => {
  const Product = device.sdk.addModel('Product', model => model.setModelProperty('price'))
  const names =
    'model_name source_id partition sync_type sync_priority fixed_schema freezed full_update pass_through loaded associations schema_version'
  expect(Object.keys(Product.vars())).toEqual(names.split(' '))
  expect(Product.getAllProperties()).toEqual(Product.vars())
  expect([Product.has('partition'), Product.has('price'), Product.has('toString')]).toEqual([true, false, false])
  expect([Product.getProperty('source_id'), Product.getProperty('price')]).toEqual(['40001', undefined])
  expect(Product.getProperties(['freezed', 'price'])).toEqual({ freezed: 'false' })
  Product.setProperty('sync_priority', 3)
  Product.setProperties({ freezed: 'true', schema_version: 2 })
  expect(Product.vars()).toMatchObject({ sync_priority: '3', freezed: 'true', schema_version: '2' })
  for (const name of ['associations', 'loaded', 'model_name', 'source_id'])
    expect(() => Product.setProperties({ sync_priority: 9, [name]: 'x' })).toThrow(
      `${name} of a model can only be read`,
    )
  expect(Product.sync_priority).toBe(3)
  const heard = await new Promise(resolve => Product.getAllProperties(resolve))
  expect(heard).toEqual(Product.vars())
})

test('settings can be read on a record as on its model', () => {
  const Product = device.sdk.addModel('Product', model => {
    model.set('sync_priority', 5)
    model.set('freezed', true)
    model.setModelProperty('partition')
  })
  device.sdk.addModel('Part', model => model.setBelongsTo('product', 'Product'))
  const record = Product.create({ partition: 'of glass' })
  const names = [
    ...['associations', 'fixed_schema', 'freezed', 'loaded', 'model_name', 'partition', 'source_id', 'sync_priority'],
    ...['sync_type', 'full_update', 'pass_through'],
  ] as const
  const read = (one: Pick<typeof Product, (typeof names)[number]>) =>
    Object.fromEntries(names.map(name => [name, one[name]]))
  expect(read(record)).toEqual(read(Product))
  expect(read(record)).toMatchObject({ model_name: 'Product', partition: 'local', associations: 'Part,product' })
  expect(record.getProperty('partition')).toBe('of glass')
})

test('associations name a child as soon as setBelongsTo has returned', () => {
  const [Maker, Product] = [made('Maker'), made('Product')]
  expect(Maker.associations).toBe('')
  Product.setBelongsTo('maker', 'Maker')
  expect([Maker.associations, Product.loaded]).toEqual(['Product,maker', false])
  Product.create({})
  expect(Maker.associations).toBe('Product,maker')
  device.sdk.addModel('Shop', shop => {
    shop.setBelongsTo('favourite', 'Maker')
    expect(Maker.associations).toBe('Product,maker,Shop,favourite')
  })
  expect(Maker.getProperty('associations')).toBe('Product,maker,Shop,favourite')
})
