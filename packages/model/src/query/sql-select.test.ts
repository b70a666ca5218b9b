import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { OrmModel } from '../orm/orm-model.js'
import { FakeServer } from '../testing/fake-server.js'
import { DRIVERS, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

describe.each(DRIVERS)('on %s', driver => {
  const directories = temporaryDirectories()
  let opened: OpenedDevice
  let Product: OrmModel

  beforeAll(async () => {
    opened = openOn(await driveOn(driver, directories.make()), new FakeServer())
    const Maker = opened.sdk.addModel('Maker', model => {
      model.enable('fixed_schema')
      model.setModelProperty('country')
    })
    Product = opened.sdk.addModel('Product', model => {
      model.setModelProperty('price', 'Float')
      model.setBelongsTo('maker', 'Maker')
    })
    opened.sdk.addModel('Order')
    const [here, there] = ['FI', 'FR'].map(country => Maker.create({ country }).object)
    const made = { a: here, b: there, c: here, d: '' } as const
    for (const [at, [name, maker = '']] of Object.entries(made).entries())
      Product.create({ name, price: at, maker, 'a b': at, text: `${name}!`, first: at })
  })
  afterAll(async () => {
    await opened.sdk.close()
    directories.removeAll()
  })

  const found = (sql: string, ...values: readonly (string | number)[]) =>
    Product.find_by_sql(sql, ...values)
      .map(record => record.get('name'))
      .join('')

  test.each([
    ['SELECT * FROM Product ORDER BY price DESC', 'dcba'],
    ['select p.object from product as p where p.price between 1 and 2', 'bc'],
    ["SELECT object FROM Product WHERE name IN ('a', 'd') ORDER BY name DESC LIMIT 1;", 'd'],
    ['SELECT object FROM "Product" WHERE "a b" = 2', 'c'],
    ["SELECT Product.object FROM Product JOIN Maker ON Product.maker = Maker.object WHERE country = 'FI'", 'ac'],
    ["SELECT p.object FROM Product p, Maker m WHERE p.maker = m.object AND m.country = 'FR'", 'b'],
    ["SELECT object FROM Product WHERE maker IN (SELECT object FROM Maker WHERE country = 'FI') ORDER BY price", 'ac'],
    [
      'WITH dear (object, n) AS (SELECT object, price FROM Product WHERE price > 1) SELECT object FROM dear ORDER BY n DESC',
      'dc',
    ],
    ['SELECT object, row_number() OVER (ORDER BY price DESC) AS place FROM Product ORDER BY place', 'dcba'],
    ['SELECT max(price), object FROM Product', 'd'],
    ['SELECT object FROM Product WHERE price < 1 UNION ALL SELECT object FROM Product WHERE price > 2', 'ad'],
    ['SELECT object FROM (Product) WHERE price = (SELECT min(price) FROM Product) -- the least', 'a'],
    ['SELECT object FROM "Order"', ''],
    ["SELECT 'nobody' AS object", ''],
    ["SELECT object FROM Product WHERE text = 'b!' OR first = 2 ORDER BY text DESC NULLS LAST", 'cb'],
    ["SELECT object FROM Product WHERE CAST(price AS TEXT) = '1.0' AND text COLLATE NOCASE = 'B!'", 'b'],
    ['SELECT object FROM Product WHERE CAST(price AS NUMERIC(10, 2)) = 3', 'd'],
  ])('%s reads %j', (sql, names) => {
    expect(found(sql)).toBe(names)
  })

  test('values are bound', () => {
    expect(found('SELECT object FROM Product WHERE price > ? AND name <> ?', 1, "d' OR 1 --")).toBe('cd')
  })

  test.each([
    ['SELECT object FROM Product WHERE price > ?', [], '1 ? for 0 values'],
    ['SELECT object FROM Product WHERE price > ? OR ? IS NULL', [1], '2 ? for 1 values'],
    ["SELECT object FROM Product WHERE name = '?' -- ?", [1], '0 ? for 1 values'],
    ['SELECT object FROM Product WHERE name = ?1', ['a'], '"?1" is not allowed'],
    ['SELECT object FROM Product WHERE name = :name', ['a'], '":name" is not allowed'],
    ['SELECT object FROM Product WHERE name = ?', [undefined], 'got undefined'],
    ['SELECT object FROM Product WHERE price <> ?', [Number.NaN], 'got NaN'],
  ])('%s with the values %j is refused', (sql, values, message) => {
    expect(() => found(sql, ...(values as readonly string[]))).toThrow(
      expect.objectContaining({ code: 'query_invalid', message: expect.stringContaining(message) }),
    )
  })

  test.each([
    ['DELETE FROM Product'],
    ["UPDATE Product SET name = 'x'"],
    ["INSERT INTO Product (object) VALUES ('x')"],
    ['DROP TABLE Product'],
    ['PRAGMA user_version = 3'],
    ["ATTACH 'x' AS y"],
    ['SELECT 1; DELETE FROM Product'],
    ['WITH x AS (SELECT 1) DELETE FROM Product'],
    ['SELECT 1) AS x; DELETE FROM "user"."bag_Product" --'],
  ])('%s is refused: it only reads', sql => {
    expect(() => found(sql)).toThrow(expect.objectContaining({ code: 'query_invalid' }))
    expect(Product.getCount()).toBe(4)
  })

  test.each([
    ['SELECT name AS object FROM sqlite_master'],
    ['SELECT object FROM "user".outbox'],
    ['SELECT object FROM outbox'],
    ['SELECT object FROM Product, outbox'],
    ['SELECT object FROM Product p JOIN (Maker JOIN outbox)'],
    ['SELECT object FROM (SELECT object FROM "local"."bag_Product")'],
    ['SELECT object FROM Product WHERE object IN outbox'],
    ['SELECT object FROM Product WHERE object = (SELECT key FROM main.setting)'],
    ["SELECT name AS object FROM pragma_table_info('outbox')"],
    ["SELECT object FROM Product WHERE load_extension('x')"],
    ['SELECT seq AS object FROM Maker'],
  ])('%s is refused: it sees models alone', sql => {
    expect(() => found(sql)).toThrow(expect.objectContaining({ code: 'query_invalid' }))
  })

  test('says that object must be among the columns', () => {
    expect(() => found('SELECT name FROM Product')).toThrow('it needs a column "object"')
  })
})
