import { AdminClient, type Fetch } from '@godwit/admin-client'
import { createSyncServer, defineSource } from '@godwit/server'
import { openMemoryStore, type Store } from '@godwit/store'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'

/** Tests the typed client against the real server, in one process without a socket. */
const url = 'http://127.0.0.1'
let store: Store
let fetch: Fetch
let admin: AdminClient

beforeEach(async () => {
  store = openMemoryStore()
  const sources = [
    defineSource({ name: 'Product', partition: 'app', pollInterval: -1 }),
    defineSource({ name: 'Order', pollInterval: -1 }),
  ]
  const backend = { secret: 'sixteen characters' }
  const server = createSyncServer({ store, sources, backend, admin: { login: 'admin', password: 'a long one' } })
  fetch = (address, request) => server.fetch(new Request(address, request))
  admin = await AdminClient.login({ url, login: 'admin', password: 'a long one', fetch })
})
afterEach(() => store.close())

describe('the admin client', () => {
  test('logs in, and is refused with another password', async () => {
    verifies('rest.system.login', 'rest.authentication.header', 'rest.errors.status')

    const token = await admin.system.login({ login: 'admin', password: 'a long one' })
    expect(token).toMatchObject({
      login: 'admin',
      role: 'admin',
      token: expect.any(String),
      expires_at: expect.any(String),
    })
    await expect(AdminClient.login({ url, login: 'admin', password: 'another', fetch })).rejects.toMatchObject({
      code: 'invalid_credentials',
    })
    await expect(new AdminClient({ url, token: 'made up', fetch }).users.list()).rejects.toMatchObject({
      code: 'token_invalid',
      details: { status: 401 },
    })
  })

  test('makes, reads, changes and deletes users', async () => {
    verifies('rest.users.create', 'rest.users.list', 'rest.users.read', 'rest.users.update', 'rest.users.delete')

    expect(await admin.users.create({ login: 'ada', password: 'her own', team: 'north' })).toEqual({ login: 'ada' })
    await admin.users.create({ login: 'backend', password: 'its own' }, { role: 'plugin' })
    expect(await admin.users.list()).toEqual(['ada'])
    expect(await admin.users.list({ role: 'plugin' })).toEqual(['backend'])
    await admin.users.update('ada', { attributes: { team: null, floor: 3 } })
    expect(await admin.users.get('ada')).toMatchObject({
      login: 'ada',
      role: 'device',
      attributes: { floor: 3 },
      locked: false,
      clients: 0,
    })
    expect(await admin.users.clients('ada')).toEqual([])
    await admin.users.delete('ada')
    await expect(admin.users.get('ada')).rejects.toMatchObject({ code: 'user_not_found', details: { status: 404 } })
  })

  test('reaches users with any characters in their login', async () => {
    for (const login of ['a/b c', 'ä:%2F', '...', '__proto__']) {
      await admin.users.create({ login, password: 'a long one' })
      expect(await admin.users.get(login)).toMatchObject({ login })
    }
  })

  test('names the user who exists already', async () => {
    verifies('rest.errors.message')

    await admin.users.create({ login: 'ada', password: 'her own' })
    await expect(admin.users.create({ login: 'ada', password: 'her own' })).rejects.toMatchObject({
      code: 'user_exists',
      message: expect.stringContaining('ada'),
      retryable: false,
    })
  })

  test('pushes any number of objects, and reads them back', async () => {
    verifies('rest.plugin.push-objects.adds')

    async function* products() {
      for (let i = 0; i < 2500; i++) yield [`${i}`, { name: `Product ${i}`, price: i / 2 }] as const
    }
    const progress: number[] = []
    const written = await admin.push.objects('Product', '*', products(), { onProgress: sent => progress.push(sent) })
    expect(written).toMatchObject({ changed: 2500, count: 2500 })
    expect(progress).toEqual([1000, 2000, 2500])
    expect(await admin.users.readDocument('*', 'Product', 'md_size')).toBe('2500')
    const md = await admin.users.readDocument('*', 'Product', 'md')
    expect(md).toMatchObject({ 2499: { name: 'Product 2499', price: 1249.5 } })
  })

  test('writes by every route of a backend', async () => {
    verifies(
      'rest.plugin.fast-insert.inserts',
      'rest.plugin.fast-update.replaces',
      'rest.plugin.fast-delete.deletes',
      'rest.plugin.push-deletes.deletes',
    )

    await admin.users.create({ login: 'ada', password: 'her own' })
    await admin.push.fastInsert('Order', 'ada', { 1: { note: 'first', amount: 1 }, 2: { note: 'second' } })
    await admin.push.fastUpdate('Order', 'ada', { delete_data: { 1: { amount: 1 } }, data: { 1: { note: 'changed' } } })
    await admin.push.fastDelete('Order', 'ada', { 2: { note: 'second' } })
    await admin.push.objects('Order', 'ada', { 3: { note: 'third' } })
    expect(await admin.users.readDocument('ada', 'Order', 'md')).toEqual({
      1: { note: 'changed' },
      3: { note: 'third' },
    })
    expect(await admin.push.deletes('Order', 'ada', ['1', '3', 'unknown'])).toMatchObject({ count: 0 })
  })

  test('writes and reads documents, as text or as objects', async () => {
    verifies(
      'rest.users.docs.write.string',
      'rest.users.docs.write.map',
      'rest.users.docs.append',
      'rest.users.docs.read',
    )

    await admin.users.create({ login: 'ada', password: 'her own' })
    await admin.users.writeDocument('ada', 'Order', 'remark', 'by hand')
    await admin.users.writeDocument('ada', 'Order', 'remark', ', twice', { append: true })
    expect(await admin.users.readDocument('ada', 'Order', 'remark')).toBe('by hand, twice')
    await admin.users.writeDocument('ada', 'Order', 'md', { 7: { note: 'seven' } })
    expect(await admin.users.readDocument('ada', 'Order', 'md')).toEqual({ 7: { note: 'seven' } })
    expect(Object.keys(await admin.users.documentNames('ada', 'Order'))).toContain('remark')
  })

  test('keeps documents of the server', async () => {
    verifies('rest.store.write.string', 'rest.store.append', 'rest.store.read')

    await admin.store.write('notice', 'closed')
    await admin.store.write('notice', ' today', { append: true })
    expect(await admin.store.read('notice')).toBe('closed today')
  })

  test('lists, reads and changes sources, and says when they are queried next', async () => {
    verifies(
      'rest.sources.list.app',
      'rest.sources.update',
      'rest.sources.read',
      'rest.read-state.refresh-time-omitted',
    )

    await admin.users.create({ login: 'ada', password: 'her own' })
    expect([await admin.sources.list('app'), await admin.sources.list('user')]).toEqual([['Product'], ['Order']])
    await admin.sources.update('Order', { poll_interval: 60 }, { user: 'ada' })
    expect(await admin.sources.get('Order')).toMatchObject({ name: 'Order', poll_interval: 60 })
    expect(await admin.readState.set('ada', 'Order', { refreshTime: 30 })).toEqual({})
    expect(await admin.readState.set('*', 'Product')).toEqual({})
  })

  test('lists clients and tells which is missing', async () => {
    expect(await admin.clients.list({ limit: 10 })).toEqual([])
    await expect(admin.clients.get('none')).rejects.toMatchObject({ code: 'client_not_found' })
    for (const requested of [
      admin.clients.documentNames('none', 'Order'),
      admin.clients.readDocument('none', 'Order', 'cd'),
      admin.clients.writeDocument('none', 'Order', 'note', 'x', { append: true }),
    ]) {
      await expect(requested).rejects.toMatchObject({ code: 'client_not_found' })
    }
  })

  test('explains an object, and reads the address of the backend', async () => {
    verifies('rest.system.appserver.read', 'rest.system.appserver.write')

    await admin.users.create({ login: 'ada', password: 'her own' })
    await admin.push.objects('Order', 'ada', { 7: { note: 'seven' } })
    const { on_device, findings } = await admin.operations.explain({ source: 'Order', user: 'ada', object: '7' })
    expect([on_device, findings.map(({ code }) => code)]).toEqual([
      'no',
      expect.arrayContaining(['object_present', 'client_none']),
    ])
    expect(await admin.operations.explain({ source: 'Order', user: 'ada', contains: 'SEVEN' })).toMatchObject({
      object: '7',
    })
    await admin.system.writeAppServer('https://8.8.8.8/base/')
    expect(await admin.system.readAppServer()).toEqual({ adapter_url: 'https://8.8.8.8/base' })
    await admin.system.writeAppServer(null)
    await expect(admin.system.writeAppServer('http://169.254.169.254')).rejects.toMatchObject({
      code: 'url_not_allowed',
    })
  })
})
