import { afterEach, describe, expect, test } from '@jest/globals'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import type { Records } from './records.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

/** Opens a device with an order of product 7, whose backend sends that id as a number. */
async function withOrder(given: Parameters<typeof definition>[1] = {}) {
  const server = new FakeServer()
  server.write('Product', { 7: { name: 'Phone' }, 8: { name: 'Radio' } })
  server.write('Order', { o1: { product: 7, count: 2 } })
  const models = [definition('Product'), definition('Order', { belongsTo: { product: 'Product' }, ...given })]
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, models)
  opened.push(device)
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
  const [products, orders] = [device.device.find('Product') as Records, device.device.find('Order') as Records]
  const sent = async () => {
    server.pushes.length = 0
    await device.sdk.sync()
    return server.pushes.flatMap(({ push }) => push.mutations)
  }
  return { ...device, server, products, orders, sent }
}

const requested = (operator: '=' | '<>' | 'IN', value: string | number | readonly string[]) =>
  ({ condition: { kind: 'compare', attribute: 'product', operator, value }, order: [] }) as const

describe('the id of an owner that a backend sends as a number', () => {
  for (const storage of ['bag', 'fixed'] as const) {
    const attributes = { product: 'String', count: 'Integer' } as const
    test(`is text to the app: it finds its owner, and conditions find it (${storage})`, async () => {
      const { products, orders } = await withOrder({ storage, freezed: storage === 'fixed', attributes })
      const product = orders.get('o1')?.attributes['product']
      expect(product).toBe('7')
      expect(products.get(product as string)?.attributes).toEqual({ name: 'Phone' })
      expect(orders.read({ order: [] })[0]?.attributes['product']).toBe('7')
      expect(orders.count(requested('=', '7'))).toBe(1)
      expect(orders.count(requested('=', 7))).toBe(1)
      expect(orders.count(requested('IN', ['7', '8']))).toBe(1)
      expect(orders.count(requested('<>', '7'))).toBe(0)
      expect(orders.readSql(`SELECT object FROM "Order" WHERE product = '7'`, [])[0]?.attributes['product']).toBe('7')
    })

    test(`stays a number where it is stored, and in what a push says it was (${storage})`, async () => {
      const { orders, sent } = await withOrder({ storage, freezed: storage === 'fixed', fullUpdate: true, attributes })
      orders.change('o1', { count: 3 })
      expect((await sent())[0]).toMatchObject({ attributes: { product: 7, count: 3 }, changed: ['count'] })
      orders.change('o1', { product: '8' })
      expect((await sent())[0]).toMatchObject({ attributes: { product: '8' }, was: { product: 7 } })
    })
  }

  test('is no change where the app saves what it reads, sets it back or recreates it', async () => {
    const { orders, sent } = await withOrder()
    orders.change('o1', { product: '7' })
    expect(orders.hasChanges('o1')).toBe(false)
    orders.change('o1', { product: '8' })
    orders.change('o1', { product: '7' })
    expect(orders.hasChanges('o1')).toBe(false)
    const displayed = orders.get('o1')?.attributes ?? {}
    orders.destroy('o1')
    orders.insert(displayed, 'o1')
    expect(orders.hasChanges('o1')).toBe(false)
    expect(await sent()).toEqual([])
  })
})
