import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { offlineSdk } from './orm.fixture.js'
import type { OrmModel } from './orm-model.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
let Product: OrmModel
beforeEach(async () => {
  device = await offlineSdk()
  Product = device.sdk.addModel('Product', model => {
    model.setModelProperty('name', 'String')
    model.setModelProperty('code', 'Varchar')
    model.setModelProperty('price', 'Float')
    model.setModelProperty('note', '')
    model.setBelongsTo('maker', 'Maker')
  })
})
afterEach(() => device.close())

describe('a model of the original API', () => {
  test('accepts a number or a Boolean where text is declared', () => {
    const phone = Product.create({ name: 5, code: true, maker: 7, price: 1.5, other: 3 })
    expect(phone.attributes).toEqual({ name: '5', code: 'true', maker: '7', price: 1.5, other: 3 })
    phone.update_attributes({ name: 6.5 })
    phone.setProperty('code', false)
    phone.save()
    expect(Product.findById(phone.object)?.attributes).toMatchObject({ name: '6.5', code: 'false' })
    expect(Product.make({ name: 0 }).attributes).toEqual({ name: '0' })
  })

  test('refuses other values for text, and text where numbers are declared', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, [1], { a: 1 }])
      expect(() => Product.create({ name: value })).toThrow(expect.objectContaining({ code: 'attribute_invalid' }))
    expect(() => Product.create({ price: 'much' })).toThrow(expect.objectContaining({ code: 'attribute_invalid' }))
    expect(() => Product.create(5 as never)).toThrow(expect.objectContaining({ code: 'attribute_invalid' }))
    expect(Product.getCount()).toBe(0)
  })

  test('reads an empty type as String', () => {
    expect(Product.getModelProperty('note')).toEqual({ name: 'note', type: 'String', option: null })
    expect(() => Product.setModelProperty('more', 'Text')).toThrow(
      expect.objectContaining({ code: 'definition_invalid' }),
    )
  })

  test('reads an empty direction as ascending', () => {
    for (const [name, price] of [
      ['b', 1],
      ['a', 2],
      ['b', 3],
    ])
      Product.create({ name, price } as never)
    const prices = (options: object) => Product.find('all', options).map(({ attributes }) => attributes['price'])
    expect(prices({ order: 'name', orderdir: '' })).toEqual([2, 1, 3])
    expect(prices({ order: ['name', 'price'], orderdir: ['', 'DESC'] })).toEqual([2, 3, 1])
    expect(prices({ order: 'name, price', orderdir: ', desc' })).toEqual([2, 3, 1])
    expect(Product.paginate({ order: 'name', orderdir: '', per_page: 1 })[0]?.attributes['price']).toBe(2)
    expect(Product.find('first', { order: 'name', orderdir: '' })?.attributes['price']).toBe(2)
    expect(() => prices({ order: 'name', orderdir: 'up' })).toThrow(expect.objectContaining({ code: 'query_invalid' }))
  })

  test('changes nothing by updateAttributes without attributes', () => {
    const phone = Product.create({ name: 'Phone' })
    phone.updateAttributes()
    phone.update_attributes()
    expect(Product.findById(phone.object)?.attributes).toEqual({ name: 'Phone' })
    expect(() => phone.updateAttributes(null as never)).toThrow(expect.objectContaining({ code: 'attribute_invalid' }))
  })

  test('reads its switches by name, as has does', () => {
    expect(Product.getProperties(['full_update', 'pass_through'])).toEqual({
      full_update: 'false',
      pass_through: 'false',
    })
    Product.enable('full_update')
    Product.enable('pass_through')
    expect([Product.getProperty('full_update'), Product.getProperty('pass_through')]).toEqual(['true', 'true'])
    expect([Product.has('full_update'), Product.has('pass_through'), Product.full_update]).toEqual([true, true, true])
    expect(Product.vars()).toMatchObject({ full_update: 'true', pass_through: 'true' })
    expect(() => Product.setProperty('full_update', 'false')).toThrow(
      expect.objectContaining({ code: 'definition_invalid' }),
    )
  })

  test('has no unsent changes where it does not sync', () => {
    const { object } = Product.create({ name: 'Phone' })
    expect([Product.hasChanges(object), Product.anyChangedObjects(), Product.changed()]).toEqual([false, false, false])
  })

  test('keeps its rows at a local reset, unless it is of the partition local', () => {
    const Shared = device.sdk.addModel('Shared', model => model.set('partition', 'app'))
    const Own = device.sdk.addModel('Own', model => model.set('partition', 'user'))
    for (const model of [Product, Shared, Own]) model.create({ name: 'x' })
    device.sdk.databaseLocalReset()
    expect([Product, Shared, Own].map(model => model.getCount())).toEqual([0, 1, 1])
  })
})
