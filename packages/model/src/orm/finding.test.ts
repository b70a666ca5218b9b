import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { offlineSdk } from './orm.fixture.js'
import type { OrmModel } from './orm-model.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
beforeEach(async () => {
  device = await offlineSdk()
})
afterEach(() => device.close())

const PRODUCTS = [
  { name: 'Phone', price: 170.5, stock: 3, fresh: true },
  { name: 'Apple', price: 2, stock: 300, fresh: true },
  { name: 'Bread', price: 10, stock: 20, fresh: false },
  { name: 'Phone', price: 90, stock: 5, fresh: false },
]

describe.each(['bag', 'fixed'])('a %s model', storage => {
  let Product: OrmModel
  const names = (records: readonly { get(name: string): string | undefined }[]) =>
    records.map(record => record.get('name'))

  beforeEach(() => {
    Product = device.sdk.addModel('Product', model => {
      if (storage === 'fixed') model.enable('fixed_schema')
      model.setModelProperty('name')
      model.setModelProperty('price', 'Float')
      model.setModelProperty('stock', 'integer')
      model.setModelProperty('fresh', 'Boolean')
      model.setSchemaIndex('byName', ['name'], false)
    })
    for (const product of PRODUCTS) Product.create(product)
  })

  test('find all, with conditions or without', () => {
    verifies('model.find.all', 'model.find.all.conditions', 'model.find.conditions.map')

    expect(names(Product.find('all'))).toEqual(['Phone', 'Apple', 'Bread', 'Phone'])
    expect(names(Product.find())).toHaveLength(4)
    expect(
      Product.find('all', { conditions: { name: 'Phone', fresh: true } }).map(record => record.get('price')),
    ).toEqual(['170.5'])
    expect(names(Product.find('all', { name: 'Bread' }))).toEqual(['Bread'])
  })

  test('find first, count, and by id', () => {
    verifies('model.find.first', 'model.find.count', 'model.find.get-count')

    expect(Product.find('first', { conditions: { name: 'Phone' } })?.get('stock')).toBe('3')
    expect(Product.find('first', { conditions: { name: 'None' } })).toBeUndefined()
    expect(Product.find('count', { conditions: { name: 'Phone' } })).toBe(2)
    expect(Product.getCount()).toBe(4)
    const [first] = Product.find('all')
    expect(Product.find(first?.object ?? '')?.get('name')).toBe('Phone')
  })

  test('conditions in SQL bind their values', () => {
    verifies('model.find.conditions.sql')

    expect(names(Product.find('all', { conditions: ['price < ? AND name <> ?', 100, 'Apple'] }))).toEqual([
      'Bread',
      'Phone',
    ])
    expect(names(Product.find('all', { conditions: ['name IN (?)', ['Apple', 'Bread']] }))).toEqual(['Apple', 'Bread'])
    expect(names(Product.find('all', { conditions: "name LIKE 'P%' AND fresh = 'true'" }))).toEqual(['Phone'])
  })

  test.each([
    [['name = ?; DROP TABLE x', 'a']],
    [['name = (SELECT name FROM other)']],
    [['load_extension(?)', 'x']],
    [['name = ?']],
    [['name = ?', 'a', 'b']],
  ])('conditions that are not a plain expression are refused: %j', conditions => {
    expect(() => Product.find('all', { conditions })).toThrow(expect.objectContaining({ code: 'query_invalid' }))
  })

  test('every form of conditions finds the same', () => {
    const forms: readonly unknown[] = [
      { conditions: { name: 'Phone', stock: 5 } },
      { conditions: [{ name: 'Phone' }, { stock: 5 }] },
      { conditions: ['name = ? AND stock = ?', 'Phone', 5] },
      { conditions: "name = 'Phone' AND stock = 5" },
      {
        conditions: {
          conditions: [
            { attrib: 'name', op: '=', value: 'Phone' },
            { attrib: 'stock', op: 'IN', values: [5] },
          ],
          op: 'AND',
        },
      },
      { conditions: [{ name: 'name', op: 'LIKE', func: 'LOWER', value: 'phone' }, { stock: { '>': 4 } }], op: 'AND' },
    ]
    for (const form of forms) expect(Product.find('all', form).map(record => record.get('price'))).toEqual(['90'])
  })

  test('op joins by OR, null is IS NULL, and declared numbers compare as numbers', () => {
    expect(names(Product.find('all', { conditions: { name: 'Apple', stock: 20 }, op: 'OR' }))).toEqual([
      'Apple',
      'Bread',
    ])
    Product.create({ name: 'Bare' })
    expect(names(Product.find('all', { conditions: { price: null } }))).toEqual(['Bare'])
    expect(names(Product.find('all', { conditions: { price: { '>': 9 } }, order: 'price' }))).toEqual([
      'Bread',
      'Phone',
      'Phone',
    ])
  })

  test('rows come in order and direction', () => {
    verifies(
      'model.find.order.string',
      'model.find.order.array',
      'model.find.orderdir.default',
      'model.find.orderdir.desc',
      'model.find.orderdir.array',
    )

    const prices = (options: object) => Product.find('all', options).map(record => record.get('price'))
    expect(prices({ order: 'price' })).toEqual(['2', '10', '90', '170.5'])
    expect(prices({ order: ['name', 'price'] })).toEqual(['2', '10', '90', '170.5'])
    expect(prices({ order: 'price', orderdir: 'DESC' })).toEqual(['170.5', '90', '10', '2'])
    expect(prices({ order: ['name', 'price'], orderdir: ['DESC', 'ASC'] })).toEqual(['90', '170.5', '10', '2'])
    expect(() => prices({ order: 'price', orderdir: 'UP' })).toThrow('expected a direction, ASC or DESC')
  })

  test('select omits other attributes', () => {
    verifies('model.find.select')

    const [first] = Product.find('all', { select: ['name'] })
    expect(first?.attributes).toEqual({ name: 'Phone' })
    expect(first?.object).toBeDefined()
  })

  test('find_by_sql reads objects, and only reads', () => {
    verifies('model.find.by-sql')

    expect(names(Product.find_by_sql('SELECT * FROM Product WHERE stock > 10 ORDER BY stock DESC'))).toEqual([
      'Apple',
      'Bread',
    ])
    expect(() => Product.find_by_sql('DELETE FROM Product')).toThrow(expect.objectContaining({ code: 'query_invalid' }))
    expect(Product.getCount()).toBe(4)
  })

  test('an attribute that no object has: a map matches nothing', () => {
    expect(Product.find('all', { conditions: { colour: 'red' } })).toEqual([])
    expect(Product.find('all', { conditions: { colour: null } })).toHaveLength(4)
  })

  test('unknown options, operators and types are refused with what is allowed', () => {
    expect(() => Product.find('all', { conditions: {}, sort: 'name' })).toThrow('sort')
    expect(() => Product.find('all', { conditions: { attrib: 'name', op: '~', value: 1 } })).toThrow('LIKE')
    expect(() => Product.find('some' as 'all', {})).toThrow("'all', 'first', 'count'")
  })

  test('paginate counts pages from 0 and returns 10 rows', () => {
    verifies(
      'model.paginate.page.first',
      'model.paginate.page',
      'model.paginate.page.optional',
      'model.paginate.per-page',
      'model.paginate.per-page.default',
    )

    for (let stock = 1000; stock < 1050; stock++) Product.create({ name: 'Many', stock })
    const stocks = (params: object) =>
      Product.paginate({ conditions: { name: 'Many' }, order: 'stock', ...params }).map(record =>
        Number(record.get('stock')),
      )
    expect(stocks({ page: 0, per_page: 20 })).toEqual(Array.from({ length: 20 }, (_, index) => 1000 + index))
    expect(stocks({ page: 1, per_page: 20 })).toEqual(Array.from({ length: 20 }, (_, index) => 1020 + index))
    expect(stocks({ page: 2, per_page: 20 })).toHaveLength(10)
    expect(stocks({ page: 9 })).toEqual([])
    expect(stocks({})).toEqual(Array.from({ length: 10 }, (_, index) => 1000 + index))
    expect(Product.paginate()).toHaveLength(10)
  })

  test('paginate takes conditions, order and select', () => {
    verifies(
      'model.paginate.conditions.map',
      'model.paginate.conditions.sql',
      'model.paginate.order',
      'model.paginate.orderdir',
      'model.paginate.select',
    )

    expect(names(Product.paginate({ conditions: { name: 'Phone' } }))).toEqual(['Phone', 'Phone'])
    expect(names(Product.paginate({ conditions: ['stock > ?', 10], order: 'name' }))).toEqual(['Apple', 'Bread'])
    expect(names(Product.paginate({ order: ['name'], orderdir: ['DESC'], per_page: 2 }))).toEqual(['Phone', 'Phone'])
    expect(Product.paginate({ select: 'name', per_page: 1 })[0]?.attributes).toEqual({ name: 'Phone' })
  })
})

test('a fixed model refuses an attribute that it does not have, by name', () => {
  const City = device.sdk.addModel('City', model => {
    model.enable('fixed_schema')
    model.setModelProperty('name')
  })
  for (const options of [{ conditions: 'colour = 1' }, { order: 'colour' }, { select: ['colour'] }]) {
    expect(() => City.find('all', options)).toThrow('has no attribute "colour"')
  }
})
