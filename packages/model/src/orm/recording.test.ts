import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Records } from '../records/records.js'
import { addProducts, offlineSdk } from './orm.fixture.js'
import type { OrmModel } from './orm-model.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
beforeEach(async () => {
  device = await offlineSdk()
})
afterEach(() => device.close())

describe.each(['bag', 'fixed'])('a %s model', storage => {
  let Product: OrmModel

  beforeEach(() => {
    Product = addProducts(device.sdk, storage, 'sync')
  })

  test('create saves, and values come as text or typed', () => {
    verifies(
      'model.recording.create',
      'model.values.get',
      'model.field-types.string',
      'model.field-types.default',
      'model.field-types.float',
      'model.field-types.integer',
      'model.field-types.boolean',
    )

    const phone = Product.create({ name: 'Phone', price: 170.5, stock: 4, fresh: true })
    expect(Product.find('first')?.object).toBe(phone.object)
    expect(['name', 'price', 'stock', 'fresh'].map(name => phone.get(name))).toEqual(['Phone', '170.5', '4', 'true'])
    expect(phone.attributes).toEqual({ name: 'Phone', price: 170.5, stock: 4, fresh: true })
    expect(phone.get('colour')).toBeUndefined()
    expect(phone.object).toMatch(/^\d+$/)
  })

  test('a value that does not fit its type is refused and nothing is stored', () => {
    expect(() => Product.create({ stock: 1.5 })).toThrow(expect.objectContaining({ code: 'attribute_invalid' }))
    expect(() => Product.create({ price: 'cheap' })).toThrow(expect.objectContaining({ code: 'attribute_invalid' }))
    expect(Product.getCount()).toBe(0)
    expect(Product.create({ stock: '5' }).attributes).toEqual({ stock: 5 })
  })

  test.each<[string, unknown]>([
    ['"abc"', 'abc'],
    ['[{"name":"Phone"}]', [{ name: 'Phone' }]],
    ['null', null],
    ['5', 5],
    ['Map', new Map([['name', 'Phone']])],
    ['Promise', Promise.resolve({ name: 'Phone' })],
  ])('%s has no attributes: it is refused and nothing is stored', (displayed, given) => {
    const attributes = given as { readonly name: string }
    const phone = Product.create({ name: 'Phone' })
    const records = device.opened.device.find('Product') as Records
    for (const save of [
      () => Product.create(attributes),
      () => Product.make(attributes),
      () => phone.update_attributes(attributes),
      () => records.insert(attributes),
      () => records.insertMany([{ name: 'Bread' }, attributes]),
      () => records.change(phone.object, attributes),
    ])
      expect(save).toThrow(
        expect.objectContaining({ code: 'attribute_invalid', message: expect.stringContaining(`got ${displayed}.`) }),
      )
    expect(Product.find().map(record => record.attributes)).toEqual([{ name: 'Phone' }])
  })

  test('make does not save; save does', () => {
    verifies('model.recording.make', 'model.recording.save', 'model.recording.save.made')

    const made = Product.make({ name: 'Phone' })
    expect(Product.getCount()).toBe(0)
    made.save()
    expect(Product.find('first')?.get('name')).toBe('Phone')
    made.setProperty('price', '5')
    expect(made.get('price')).toBeUndefined()
    expect(made.getProperty('price')).toBe('5')
    made.save()
    expect(made.get('price')).toBe('5')
  })

  test('update_attributes changes and saves', () => {
    verifies('model.recording.update-attributes', 'model.deprecated.update-attributes')

    const phone = Product.create({ name: 'Phone', price: 1 })
    phone.update_attributes({ price: 2 })
    expect(Product.find('first')?.attributes).toEqual({ name: 'Phone', price: 2 })
    phone.updateAttributes({ price: null, stock: 7 })
    expect(Product.find('first')?.attributes).toEqual({ name: 'Phone', stock: 7 })
  })

  test('destroy removes; a second time does nothing; save brings it back', () => {
    verifies('model.recording.destroy')

    const phone = Product.create({ name: 'Phone' })
    phone.destroy()
    phone.destroy()
    expect(Product.getCount()).toBe(0)
    phone.save()
    expect(Product.find('first')?.object).toBe(phone.object)
  })

  test('delete_all by any conditions', () => {
    verifies(
      'model.recording.delete-all',
      'model.recording.delete-all.map',
      'model.recording.delete-all.sql',
      'model.recording.delete-all.op',
      'model.deprecated.delete-all',
    )

    const fill = () => {
      Product.delete_all()
      for (const stock of [1, 2, 3]) Product.create({ name: `P${stock}`, stock })
    }
    const left = () => Product.find().map(record => record.get('stock'))
    fill()
    Product.delete_all({ conditions: { stock: 2 } })
    expect(left()).toEqual(['1', '3'])
    fill()
    Product.delete_all({ conditions: ['stock > ?', 1] })
    expect(left()).toEqual(['1'])
    fill()
    Product.delete_all({ conditions: { stock: 1, name: 'P3' }, op: 'OR' })
    expect(left()).toEqual(['2'])
    Product.deleteAll({ conditions: { stock: 2 } })
    expect(left()).toEqual([])
  })

  test('properties are text, as a result and in a callback', async () => {
    verifies(
      'model.values.get-property',
      'model.values.get-property.callback',
      'model.values.get-properties',
      'model.values.get-properties.callback',
      'model.values.get-all-properties',
      'model.values.get-all-properties.callback',
      'model.values.callback-optional',
      'model.values.vars',
    )

    const phone = Product.create({ name: 'Phone', stock: 4 })
    const heard: unknown[] = []
    const hear = (value: unknown) => void heard.push(value)
    const all = { name: 'Phone', stock: '4', object: phone.object, source_id: String(Product.source_id) }
    expect(phone.getProperty('stock', hear)).toBe('4')
    expect(phone.getProperties(['name', 'stock'], hear)).toEqual({ name: 'Phone', stock: '4' })
    expect(phone.getAllProperties(hear)).toEqual(all)
    expect(heard).toEqual([])
    await Promise.resolve()
    expect(heard).toEqual(['4', { name: 'Phone', stock: '4' }, all])
    expect([phone.getProperty('stock'), phone.getProperty('stock', null)]).toEqual(['4', '4'])
    expect(phone.getProperties(['name'])).toEqual({ name: 'Phone' })
    expect(phone.vars()).toEqual(all)
    expect(phone.vars()['name']).toBe('Phone')
  })

  test('setProperty and setProperties change memory until save', () => {
    verifies('model.values.set-property', 'model.values.set-properties', 'model.values.has')

    const phone = Product.create({ name: 'Phone' })
    phone.setProperty('name', 'Tablet')
    phone.setProperties({ price: '3.5', stock: '2' })
    expect(phone.get('name')).toBe('Phone')
    phone.save()
    expect(Product.find('first')?.attributes).toEqual({ name: 'Tablet', price: 3.5, stock: 2 })
    expect([phone.has('price'), phone.has('colour')]).toEqual([true, false])
  })

  test('knows which changes are undecided', () => {
    verifies(
      'model.syncing.any-changed-objects',
      'model.syncing.has-changes.created',
      'model.syncing.can-modify',
      'model.deprecated.can-modify',
      'model.deprecated.changed',
      'model.syncing.has-changes.unchanged',
    )

    expect([Product.anyChangedObjects(), Product['changed?'](), Product.hasChanges('1')]).toEqual([false, false, false])
    const phone = Product.create({ name: 'Phone' })
    const object = phone.object ?? ''
    expect([Product.anyChangedObjects(), Product['changed?'](), phone['changed?']()]).toEqual([true, true, true])
    expect([Product.hasChanges(object), Product.canModify(object), Product.can_modify(object)]).toEqual([
      true,
      true,
      true,
    ])
    phone.destroy()
    expect(Product.anyChangedObjects()).toBe(false)
  })

  test('deprecated names return what their replacements do', async () => {
    verifies(
      'model.deprecated.count',
      'model.deprecated.find-all',
      'model.deprecated.get-source-id',
      'model.deprecated.get-source-name',
      'model.deprecated.client-id',
      'model.deprecated.backend-refresh-time',
      'model.deprecated.push-changes',
    )

    const phone = Product.create({ name: 'Phone' })
    expect(Product.count()).toBe(1)
    expect(Product.find_all()).toEqual({ [phone.object ?? '']: { name: 'Phone' } })
    expect(Product.get_source_id()).toEqual({ source_id: Product.source_id })
    expect(Product.get_source_name()).toEqual({ source_name: 'Product' })
    expect(Product.client_id()).toBeNull()
    expect(Product.backend_refresh_time()).toBe('')
    await expect(Product.push_changes()).resolves.toBeUndefined()
  })
})

test('a model that does not sync has no changes to send', () => {
  const Note = device.sdk.addModel('Note')
  const note = Note.create({ text: 'a' })
  expect([Note.anyChangedObjects(), Note.hasChanges(note.object ?? '')]).toEqual([false, false])
})
