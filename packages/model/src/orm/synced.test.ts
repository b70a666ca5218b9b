import { until, verifies } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { SyncNotification } from '../events/notifications.js'
import type { Sdk } from '../sdk/sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import type { OrmModel } from './orm-model.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

async function open(server = new FakeServer(), directory = directories.make()) {
  const device = openOn(await driveOn('better-sqlite3', directory), server)
  opened.push(device)
  return { ...device, server, directory }
}

/** Opens a device with one product from the server; the test defines the model. */
async function withProduct(define: (model: OrmModel) => void) {
  const { sdk, server, parts } = await open()
  const Product = sdk.addModel('Product', model => {
    model.enable('sync')
    define(model)
  })
  await sdk.login('ada', 'ada')
  server.write('Product', { p1: { name: 'Phone', price: 5 } })
  await sdk.sync()
  return { sdk, server, parts, Product }
}

const changeAndSync = async (sdk: Sdk, Product: OrmModel) => {
  Product.findById('p1')?.update_attributes({ price: 6 })
  await sdk.sync()
}

describe('a synced model of the original API', () => {
  test('sends changed attributes only', async () => {
    verifies('model.enable.changed-only')

    const { sdk, server, Product } = await withProduct(() => {})
    await changeAndSync(sdk, Product)
    expect(server.pushes.at(-1)?.push.mutations).toMatchObject([{ operation: 'update', object: 'p1' }])
    expect(server.pushes.at(-1)?.push.mutations[0]?.attributes).toEqual({ price: 6 })
  })

  test('sends all attributes with full_update, and names those that changed', async () => {
    verifies('model.enable.full-update')

    const { sdk, server, Product } = await withProduct(model => model.enable('full_update'))
    await changeAndSync(sdk, Product)
    expect(server.pushes.at(-1)?.push.mutations).toMatchObject([
      { operation: 'update', attributes: { name: 'Phone', price: 6 }, changed: ['price'] },
    ])
  })

  test('pushes on demand, and reports and lists errors without rejecting', async () => {
    const { sdk, server, Product } = await withProduct(() => {})
    const [heard, unhandled]: [SyncNotification[], unknown[]] = [[], []]
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    sdk.setNotification('Product', notification => heard.push(notification))
    server.before = request => (request.startsWith('POST') ? new Response('', { status: 500 }) : undefined)
    Product.findById('p1')?.update_attributes({ price: 6 })
    void Product.pushChanges()
    await until(() => heard.some(({ status }) => status === 'error'))
    expect(heard).toContainEqual(expect.objectContaining({ status: 'error', error_code: 'internal' }))
    expect(Product.anyChangedObjects()).toBe(true)
    server.before = () => {
      throw new TypeError('no network')
    }
    await expect(Product.pushChanges()).resolves.toBeUndefined()
    server.before = () => undefined
    server.decide = () => ({ status: 'refused' })
    void Product.pushChanges()
    await until(() => sdk.refused().length > 0)
    expect(sdk.refused()).toMatchObject([{ model: 'Product', object: 'p1', attributes: { price: 6 } }])
    await sdk.logout()
    await expect(Product.pushChanges()).resolves.toBeUndefined()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  test('keeps a value that does not fit its type', async () => {
    const { sdk, server, Product } = await withProduct(model => model.setModelProperty('price', 'Float'))
    server.write('Product', { p2: { name: 'Gift', price: 'for nothing' } })
    await sdk.sync()
    expect(Product.findById('p2')?.attributes).toEqual({ name: 'Gift', price: 'for nothing' })
  })

  test('skips undeclared attributes of a frozen model', async () => {
    const { Product } = await withProduct(model => {
      model.setModelProperty('name')
      model.set('freezed', true)
    })
    expect(Product.findById('p1')?.attributes).toEqual({ name: 'Phone' })
  })

  /** Opens a device with two updates that were refused one after the other. */
  const withTwoRefused = async () => {
    const opened = await withProduct(() => {})
    const { sdk, server, Product } = opened
    server.decide = () => ({ status: 'refused' })
    for (const attributes of [{ price: 6 }, { name: 'Tablet' }]) {
      Product.findById('p1')?.update_attributes(attributes)
      await sdk.sync()
    }
    const refused = () => sdk.refused().map(({ attributes }) => attributes)
    return { ...opened, refused, stored: () => Product.findById('p1')?.attributes }
  }

  test('identifies refused updates of one object by their attributes', async () => {
    const { Product, refused, stored } = await withTwoRefused()
    expect(refused()).toEqual([{ price: 6 }, { name: 'Tablet' }])
    Product.onSyncUpdateError('p1', { price: 6 }, { price: 5 }, 'retry')
    expect([stored(), refused()]).toEqual([{ name: 'Phone', price: 6 }, [{ name: 'Tablet' }]])
    Product.onSyncUpdateError('p1', { name: 'Tablet' }, { name: 'Phone' }, 'rollback')
    expect([stored(), refused()]).toEqual([{ name: 'Phone', price: 6 }, []])
  })

  test('chooses the latest refused update where no attributes identify one', async () => {
    const { Product, refused, stored } = await withTwoRefused()
    Product.onSyncUpdateError('p1', {}, {}, 'retry')
    expect([stored(), refused()]).toEqual([{ name: 'Tablet', price: 5 }, [{ price: 6 }]])
    Product.onSyncUpdateError('p1', {}, {}, 'rollback')
    expect([stored(), refused()]).toEqual([{ name: 'Tablet', price: 5 }, []])
  })

  test('replaces a refused change with the attributes of a retry', async () => {
    verifies('model.syncing.on-sync-update-error')

    const { Product, refused, stored } = await withTwoRefused()
    Product.onSyncUpdateError('p1', { name: 'Slate', price: 7 }, {}, 'retry')
    expect([stored(), refused()]).toEqual([{ name: 'Slate', price: 7 }, [{ price: 6 }]])
  })

  test('keeps a refused update listed whose object is gone', async () => {
    const { sdk, server, Product, refused } = await withTwoRefused()
    server.write('Product', { p1: null })
    await sdk.sync()
    Product.onSyncUpdateError('p1', { price: 6 }, {}, 'retry')
    expect([Product.getCount(), refused()]).toEqual([0, [{ price: 6 }, { name: 'Tablet' }]])
    Product.onSyncUpdateError('p1', { price: 6 }, {}, 'rollback')
    expect(refused()).toEqual([{ name: 'Tablet' }])
  })

  test.each(['app', 'local'])('keeps counting its changes when it moves to the partition %s', async partition => {
    const { sdk, server, Product } = await withProduct(() => {})
    await changeAndSync(sdk, Product)
    const [client, before] = [sdk.clientId(), server.pushes.length]
    server.decide = ({ operation }) => (operation === 'update' ? { queue: true } : {})
    Product.findById('p1')?.update_attributes({ price: 7 })
    await sdk.sync()
    Product.create({ name: 'unsent' })
    Product.set('partition', partition)
    await sdk.sync()
    expect(server.pushes.slice(before).flatMap(({ push }) => push.mutations.map(({ number }) => number))).toEqual([
      2, 2, 3,
    ])
    server.decideQueued('Product')
    await sdk.sync()
    expect([sdk.clientId(), sdk.changes(), Product.getCount()]).toEqual([client, [], 2])
    expect(Object.values(server.live('Product'))).toEqual([{ name: 'Phone', price: 7 }, { name: 'unsent' }])
    server.write('Product', { p1: null })
    await sdk.sync()
    expect(Product.find('all').map(row => row.get('name'))).toEqual(['unsent'])
  })

  test('leaves nothing to another user in the partition local, where a model without sync keeps its rows', async () => {
    const { sdk, server, Product } = await withProduct(model => model.set('partition', 'local'))
    const Note = sdk.addModel('Note')
    Note.create({ text: 'of the device' })
    Product.create({ name: 'unsent' })
    await expect(sdk.login('grace', 'grace')).rejects.toMatchObject({ code: 'unsent_changes' })
    await sdk.login('grace', 'grace', { discard: true })
    expect([Product.getCount(), Note.getCount(), sdk.changes()]).toEqual([0, 1, []])
    await sdk.sync()
    expect([Product.getCount(), Object.values(server.live('Product'))]).toEqual([1, [{ name: 'Phone', price: 5 }]])
  })

  test('sends local rows when it syncs again, and no rows of the server', async () => {
    const { sdk, server, Product } = await withProduct(() => {})
    await changeAndSync(sdk, Product)
    const [client, before] = [sdk.clientId(), server.pushes.length]
    Product.set('sync_type', 'none')
    Product.create({ name: 'own' })
    Product.set('partition', 'app')
    Product.set('sync_type', 'incremental')
    await sdk.sync()
    expect(server.pushes.slice(before).flatMap(({ push }) => push.mutations)).toMatchObject([
      { number: 2, operation: 'create', attributes: { name: 'own' } },
    ])
    expect([sdk.clientId(), sdk.changes(), Product.getCount()]).toEqual([client, [], 2])
    expect(Object.values(server.live('Product'))).toEqual([{ name: 'Phone', price: 6 }, { name: 'own' }])
    server.write('Product', { p1: null })
    await sdk.sync()
    expect(Product.find('all').map(row => row.get('name'))).toEqual(['own'])
  })

  test('keeps rows of partitions apart: each has its own file', async () => {
    verifies('model.set.partition.segments')

    const { sdk, parts } = await open()
    for (const partition of ['user', 'app', 'local']) {
      const model = sdk.addModel(`In_${partition}`, model => model.set('partition', partition))
      model.create({ partition })
    }
    for (const partition of ['user', 'app', 'local']) {
      const tables = parts.database.prepare(`SELECT name FROM ${partition}.sqlite_master WHERE name LIKE 'bag_In_%'`)
      expect(tables.all().map(({ name }) => name)).toEqual([`bag_In_${partition}`])
    }
  })
})

test('ids differ between devices, and from those before a restart', async () => {
  const directory = directories.make()
  const made = new Set<string>()
  const makeOn = async (where?: string) => {
    const { sdk } = await open(new FakeServer(), where)
    const Note = sdk.addModel('Note')
    for (let times = 0; times < 200; times++) made.add(Note.create({}).object ?? '')
    await sdk.close()
  }
  await makeOn(directory)
  await makeOn(directory)
  await makeOn()
  await makeOn()
  expect(made.size).toBe(800)
})

test('a synced model that was not used yet is synced, alone and with all', async () => {
  const { sdk, server } = await open()
  const [Product, Order, Plain] = ['Product', 'Order', 'Plain'].map(name => new sdk.NewORMModel(name))
  for (const model of [Product, Order]) model?.enable('sync')
  server.write('Product', { p: {} })
  server.write('Order', { o: {} })
  await sdk.login('ada', 'ada')
  expect(await sdk.sync('Order')).toMatchObject({ received: 1 })
  const { sources } = await sdk.sync()
  expect(sources.map(({ source }) => source).sort()).toEqual(['Order', 'Product'])
  expect([Product?.getCount(), Order?.getCount(), Plain?.loaded]).toEqual([1, 1, false])
})
