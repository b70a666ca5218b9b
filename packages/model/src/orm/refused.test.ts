import { afterEach, describe, expect, test } from '@jest/globals'
import type { SyncNotification } from '../events/notifications.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const NO = { status: 'refused' } as const

/** Opens a device with the products p1 to p3 from a server that then refuses all changes. */
async function withProducts() {
  const server = new FakeServer()
  server.write('Product', { p1: { name: 'Phone' }, p2: { name: 'Radio' }, p3: { name: 'Lamp' } })
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server)
  opened.push(device)
  const Product = device.sdk.addModel('Product', model => model.enable('sync'))
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
  server.decide = () => NO
  const heard: SyncNotification[] = []
  device.sdk.setNotification('*', one => one.status === 'error' && heard.push(one))
  return { ...device, server, Product, heard }
}

describe('a change that the server refused', () => {
  test('that is still listed at the next opening is reported to the handler once', async () => {
    const server = new FakeServer()
    const drive = await driveOn('better-sqlite3', directories.make())
    const open = () => {
      const device = openOn(drive, server)
      opened.push(device)
      return { ...device, Product: device.sdk.addModel('Product', model => model.enable('sync')) }
    }
    const first = open()
    await first.sdk.login('ada', 'ada')
    server.decide = () => NO
    first.Product.create({ name: 'Gift' })
    await first.sdk.sync()
    await first.sdk.close()
    const second = open()
    const heard: unknown[] = []
    second.Product.onRefused(({ attributes }) => heard.push(attributes))
    expect(heard).toEqual([])
    await Promise.resolve()
    second.Product.onRefused(({ attributes }) => heard.push(attributes))
    await Promise.resolve()
    expect(heard).toEqual([{ name: 'Gift' }])
    for (const refusal of second.sdk.refused()) refusal.dismiss()
    await second.sdk.close()
    const third = open()
    third.Product.onRefused(({ attributes }) => heard.push(attributes))
    await Promise.resolve()
    expect(heard.length).toBe(1)
  })

  test('is reported with its object by the notification of its source, in one batch per answer', async () => {
    const { sdk, Product, heard } = await withProducts()
    const { object } = Product.create({ name: 'Gift' })
    const { object: other } = Product.create({ name: '__proto__' })
    Product.findById('p1')?.update_attributes({ name: 'Tablet' })
    Product.findById('p2')?.destroy()
    await sdk.sync()
    const why = { code: 'refused', message: 'The source says refused.' }
    expect(heard).toEqual([
      {
        source_name: 'Product',
        status: 'error',
        processed_count: 0,
        cumulative_count: 0,
        total_count: 0,
        error_code: 'refused',
        error_message: 'The source says refused.',
        server_errors: {
          'create-error': {
            [object]: { ...why, attributes: { name: 'Gift' } },
            [other]: { ...why, attributes: { name: '__proto__' } },
          },
          'update-error': { p1: { ...why, attributes: { name: 'Tablet' } } },
          'update-rollback': { p1: { attributes: { name: 'Phone' } } },
          'delete-error': { p2: { ...why, attributes: { name: 'Radio' } } },
        },
      },
    ])
  })

  test('can be settled in the notification', async () => {
    const { sdk, server, Product } = await withProducts()
    sdk.setNotification('Product', ({ server_errors: errors }) => {
      Product.onSyncCreateError(Object.keys(errors['create-error'] ?? {}), 'recreate')
      for (const [id, { attributes }] of Object.entries(errors['update-error'] ?? {}))
        Product.onSyncUpdateError(id, attributes, errors['update-rollback']?.[id]?.attributes ?? {}, 'retry')
      for (const [id, { attributes }] of Object.entries(errors['delete-error'] ?? {}))
        Product.onSyncDeleteError(id, attributes, 'retry')
    })
    Product.create({ name: 'Gift' })
    Product.findById('p1')?.update_attributes({ name: 'Tablet' })
    Product.findById('p2')?.destroy()
    let times = 0
    server.decide = () => (times++ < 3 ? NO : {})
    await sdk.sync()
    await sdk.sync()
    expect(Object.values(server.live('Product')).map(({ name }) => name)).toEqual(['Tablet', 'Lamp', 'Gift'])
    expect(sdk.refused()).toEqual([])
  })

  test('is the only cause of its error, and a failed backend is a query error', async () => {
    const { sdk, server, heard } = await withProducts()
    await sdk.sync()
    expect(heard).toEqual([])
    server.before = request =>
      request === 'GET /app/v1/Product'
        ? Response.json({ code: 'backend_failed', detail: 'No answer.', status: 502 }, { status: 502 })
        : undefined
    await sdk.sync()
    expect(heard).toMatchObject([{ error_code: 'backend_failed', server_errors: { 'query-error': {} } }])
  })

  test('is not sent again by recreate where the app deleted the object meanwhile', async () => {
    const { sdk, server, Product } = await withProducts()
    const gone = Product.create({ name: 'Gone' })
    const kept = Product.create({ name: 'Kept' })
    server.before = request => {
      if (request === 'POST /app/v1/Product') gone.destroy()
      return undefined
    }
    await sdk.sync()
    server.before = () => undefined
    Product.onSyncCreateError([gone, kept], 'recreate')
    expect([Product.findById(gone.object), Product.findById(kept.object)?.get('name')]).toEqual([undefined, 'Kept'])
    expect(sdk.refused()).toEqual([])
  })

  test('is not sent again by recreate while the delete is undecided', async () => {
    const { sdk, server, Product } = await withProducts()
    const gone = Product.create({ name: 'Gone' })
    server.decide = () => ({ ...NO, queue: true })
    await sdk.sync()
    gone.destroy()
    await sdk.sync()
    server.decide = () => NO
    let resolved = 0
    Product.onRefused(({ operation, object }) => {
      if (operation !== 'create') return
      resolved++
      Product.onSyncCreateError([object], 'recreate')
    })
    server.decideQueued('Product')
    await sdk.sync()
    expect([resolved, Product.findById(gone.object)]).toEqual([1, undefined])
  })

  test('is settled by a temporary id that the app still holds', async () => {
    const { sdk, server, Product } = await withProducts()
    server.decide = () => ({ link: 'real' })
    const { object } = Product.create({ name: 'Gift' })
    await sdk.sync()
    server.decide = () => NO
    Product.findById(object)?.update_attributes({ name: 'Present' })
    await sdk.sync()
    expect(sdk.refused()).toMatchObject([{ object: 'real' }])
    Product.onSyncUpdateError(object, {}, {}, 'retry')
    expect([sdk.refused(), Product.findById('real')?.get('name')]).toEqual([[], 'Present'])
  })
})
