import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { offlineSdk } from './orm.fixture.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
beforeEach(async () => {
  device = await offlineSdk()
})
afterEach(() => device.close())

test('new defines a model, getModel finds it', () => {
  verifies('model.defining.new', 'model.defining.get-model', 'model.properties.model-name', 'model.properties.loaded')

  const { sdk } = device
  const Product = new sdk.NewORMModel('Product')
  expect(Product.model_name).toBe('Product')
  expect(Product.loaded).toBe(false)
  expect(sdk.NewORMModel.getModel('Product')).toBe(Product)
  expect(sdk.getModel('Product')).toBe(Product)
  expect(sdk.getModel('Nothing')).toBeNull()
  Product.initModel()
  expect(Product.loaded).toBe(true)
})

test('properties are declared with type and option', () => {
  verifies('model.defining.set-model-property', 'model.defining.get-model-property', 'model.field-types.varchar')

  const Product = device.sdk.addModel('Product', model => {
    model.setModelProperty('name')
    model.setModelProperty('code', 'varchar')
    model.setModelProperty('picture', 'Blob', 'overwrite')
  })
  expect(Product.getModelProperty('name')).toEqual({ name: 'name', type: 'String', option: null })
  expect(Product.getModelProperty('picture')).toEqual({ name: 'picture', type: 'Blob', option: 'overwrite' })
  expect(Product.getModelProperty('nothing')).toBeNull()
  expect(Product.create({ code: 'x1' }).get('code')).toBe('x1')
  expect(() => Product.setModelProperty('size', 'Money')).toThrow('String, Integer, Float, Boolean, Varchar, Blob')
  expect(() => Product.setModelProperty('object')).toThrow('reserved')
})

test('belongs-to is known to the child and to the owner', () => {
  verifies('model.defining.set-belongs-to', 'model.defining.get-belongs-to', 'model.properties.associations')

  const Maker = device.sdk.addModel('Maker')
  const Product = device.sdk.addModel('Product', model => model.setBelongsTo('maker', 'Maker'))
  expect(Product.getBelongsTo('maker')).toEqual(['Maker'])
  expect(Product.getBelongsTo('name')).toBeNull()
  expect(Maker.associations).toBe('Product,maker')
  expect(Product.associations).toBe('')
})

test('a unique index prevents equal records, another index does not', () => {
  verifies(
    'model.defining.set-schema-index',
    'model.defining.set-schema-index.unique',
    'model.defining.set-schema-index.not-unique',
  )

  for (const storage of ['bag', 'fixed']) {
    const define = (name: string, unique: boolean) =>
      device.sdk.addModel(`${name}${storage}`, model => {
        if (storage === 'fixed') model.enable('fixed_schema')
        model.setModelProperty('name')
        model.setModelProperty('place')
        model.setSchemaIndex('both', ['name', 'place'], unique)
      })
    const [One, Many] = [define('One', true), define('Many', false)]
    One.create({ name: 'a', place: 'b' })
    One.create({ name: 'a', place: 'c' })
    expect(() => One.create({ name: 'a', place: 'b' })).toThrow(expect.objectContaining({ code: 'not_unique' }))
    expect(One.getCount()).toBe(2)
    Many.create({ name: 'a', place: 'b' })
    Many.create({ name: 'a', place: 'b' })
    expect(Many.getCount()).toBe(2)
  }
})

test('partition and sync type follow each other until one is set', () => {
  verifies(
    'model.properties.partition',
    'model.properties.partition.local',
    'model.properties.partition.user',
    'model.properties.partition.app',
    'model.properties.sync-type',
    'model.enable.sync',
    'model.set.partition',
    'model.set.sync-type',
  )

  const facts = (define: (model: InstanceType<typeof device.sdk.NewORMModel>) => void) => {
    const model = new device.sdk.NewORMModel(`M${Math.random()}`)
    define(model)
    return [model.partition, model.sync_type]
  }
  expect(facts(() => {})).toEqual(['local', 'none'])
  expect(facts(model => model.enable('sync'))).toEqual(['user', 'incremental'])
  expect(facts(model => model.set('sync_type', 'bulk_only'))).toEqual(['user', 'bulk_only'])
  expect(facts(model => model.set('partition', 'app'))).toEqual(['app', 'none'])
  expect(
    facts(model => {
      model.set('partition', 'app')
      model.enable('sync')
    }),
  ).toEqual(['app', 'incremental'])
})

test('source ids depend on the partition', () => {
  verifies('model.properties.source-id')

  const make = (name: string, partition: string) =>
    device.sdk.addModel(name, model => {
      model.set('partition', partition)
      model.enable('sync')
    }).source_id
  expect([make('A', 'user'), make('B', 'user'), make('C', 'app'), device.sdk.addModel('D').source_id]).toEqual([
    1, 2, 20001, 40001,
  ])
})

test('other settings are text or values', () => {
  verifies(
    'model.properties.sync-priority',
    'model.properties.sync-priority.default',
    'model.set.sync-priority',
    'model.set.freezed',
    'model.properties.freezed',
    'model.properties.fixed-schema',
    'model.enable.fixed-schema',
    'model.set.schema-version',
  )

  const Product = new device.sdk.NewORMModel('Product')
  expect([Product.sync_priority, Product.freezed, Product.fixed_schema]).toEqual([1000, false, false])
  Product.set('sync_priority', '5')
  Product.set('freezed', 'true')
  Product.set('schema_version', '1.1')
  expect([Product.sync_priority, Product.freezed, Product.getProperty('schema_version')]).toEqual([5, true, '1.1'])
  Product.enable('fixed_schema')
  expect(Product.fixed_schema).toBe(true)
  expect(() => Product.create({ undeclared: 1 })).toThrow(expect.objectContaining({ code: 'attribute_unknown' }))
})

test('a model has its settings as properties; some can only be read', () => {
  verifies('model.values.set-properties.valid', 'model.values.set-properties.read-only')

  const Product = device.sdk.addModel('Product')
  Product.setProperties({ sync_priority: '7' })
  expect(Product.getAllProperties()).toMatchObject({
    model_name: 'Product',
    sync_priority: '7',
    sync_type: 'none',
    loaded: 'true',
  })
  expect(() => Product.setProperties({ colour: 'red' })).toThrow(
    'partition, sync_type, sync_priority, freezed, schema_version',
  )
  expect(() => Product.setProperties({ source_id: '3' })).toThrow('can only be read')
})

test.each([
  ['enable', () => new device.sdk.NewORMModel('A').enable('speed'), 'fixed_schema, sync, full_update, pass_through'],
  [
    'set',
    () => new device.sdk.NewORMModel('A').set('speed', 1),
    'partition, sync_type, sync_priority, freezed, schema_version',
  ],
  ['a partition', () => new device.sdk.NewORMModel('A').set('partition', 'moon'), 'local, user, app'],
  ['a priority', () => new device.sdk.NewORMModel('A').set('sync_priority', 0), 'from 1'],
  ['an index', () => new device.sdk.NewORMModel('A').setSchemaIndex('i', []), 'attribute names'],
])('%s that is not allowed is refused with what is', (_, run, allowed) => {
  expect(run).toThrow(expect.objectContaining({ message: expect.stringContaining(allowed) }))
})
