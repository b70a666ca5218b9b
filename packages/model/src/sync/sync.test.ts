import { afterEach, describe, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import {
  DRIVERS,
  definition,
  driveOn,
  type OpenedDevice,
  openOn,
  temporaryDirectories,
} from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const Owner = definition('Owner')
const Child = definition('Child', { belongsTo: { owner: 'Owner' } })
const Shared = definition('Shared', { partition: 'app', belongsTo: { owner: 'Owner' } })

describe.each(DRIVERS)('sync over %s', driver => {
  async function start(server = new FakeServer(), directory = directories.make()) {
    const device = openOn(await driveOn(driver, directory), server, [Owner, Child, Shared])
    opened.push(device)
    const records = (name: string) => device.device.find(name) as Records
    return {
      ...device,
      server,
      directory,
      owners: records('Owner'),
      children: records('Child'),
      shared: records('Shared'),
    }
  }
  const seen = (records: Records) =>
    Object.fromEntries(records.read(EVERYTHING).map(({ object, attributes }) => [object, { ...attributes }]))
  async function loggedIn(server?: FakeServer, directory?: string) {
    const device = await start(server, directory)
    await device.sdk.login('ada', 'ada')
    return device
  }

  test('pulls rows of the server page by page, and later changes', async () => {
    const { sdk, server, owners } = await loggedIn()
    server.write(
      'Owner',
      Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`o${at}`, { name: `owner ${at}` }])),
    )
    sdk.pageSize = 10
    const summary = await sdk.sync()
    expect(summary).toMatchObject({ received: 25, sent: 0, stopped: false })
    expect(seen(owners)).toEqual(server.live('Owner'))
    server.write('Owner', { o3: null, o4: { name: 'another' }, o99: { name: 'new' } })
    expect(await sdk.sync()).toMatchObject({ received: 3 })
    expect(seen(owners)).toEqual(server.live('Owner'))
  })

  test('sends creates, updates and deletes, and adopts the real id', async () => {
    const { sdk, server, owners } = await loggedIn()
    server.write('Owner', { a: { name: 'A' }, b: { name: 'B' } })
    await sdk.sync()
    server.decide = ({ operation }) => (operation === 'create' ? { link: 'real' } : {})
    const made = owners.insert({ name: 'mine' })
    owners.change('a', { name: 'A2' })
    owners.destroy('b')
    expect(owners.hasChanges(made.object)).toBe(true)
    expect(await sdk.sync()).toMatchObject({ sent: 3 })
    expect(server.live('Owner')).toEqual({ a: { name: 'A2' }, real: { name: 'mine' } })
    expect(seen(owners)).toEqual(server.live('Owner'))
    expect(owners.anyChanges()).toBe(false)
    expect(owners.get(made.object)?.object).toBe('real')
    expect(owners.change(made.object, { name: 'by its old id' })?.object).toBe('real')
  })

  test('replaces temporary ids in all models, before and after the owner is sent', async () => {
    const { sdk, server, owners, children, shared } = await loggedIn()
    server.decide = (mutation, source) =>
      source === 'Owner' && mutation.operation === 'create'
        ? { link: `real ${String(mutation.attributes?.['name'])}` }
        : {}
    const owner = owners.insert({ name: 'o' })
    const child = children.insert({ owner: owner.object })
    const far = shared.insert({ owner: owner.object })
    await sdk.sync('Child')
    expect(server.pushes).toEqual([])
    await sdk.sync()
    expect(server.live('Child')).toEqual({ [child.object]: { owner: 'real o' } })
    expect(server.live('Shared')).toEqual({ [far.object]: { owner: 'real o' } })
    expect(seen(children)).toEqual(server.live('Child'))
    expect(seen(shared)).toEqual(server.live('Shared'))
    expect(children.insert({ owner: owner.object }).attributes).toEqual({ owner: 'real o' })
  })

  test('replaces temporary ids of an owner that was saved or declared after its children', async () => {
    const { sdk, server, owners, children, device } = await loggedIn()
    server.decide = ({ operation, object }) => (operation === 'create' ? { link: `real ${object}` } : {})
    const late = device.define(definition('Late', { partition: 'app' }))
    children.insert({ owner: 'o', note: 'first' }, 'c')
    late.insert({ owner: 'o' }, 'l')
    owners.insert({ name: 'then' }, 'o')
    device.define(definition('Late', { partition: 'app', belongsTo: { owner: 'Owner' } }))
    await sdk.sync('Child')
    expect(server.pushes).toEqual([])
    await sdk.sync()
    expect(server.live('Child')).toEqual({ 'real c': { owner: 'real o', note: 'first' } })
    expect(server.live('Late')).toEqual({ 'real l': { owner: 'real o' } })
    expect(seen(children)).toEqual(server.live('Child'))
    expect(seen(device.find('Late') as Records)).toEqual(server.live('Late'))
    expect(sdk.changes()).toEqual([])
  })

  test('objects that reference each other do not wait for each other', async () => {
    const { sdk, server, device } = await loggedIn()
    server.decide = ({ operation, object }) => (operation === 'create' ? { link: `real ${object}` } : {})
    const nodes = device.define(definition('Node', { belongsTo: { next: 'Node' } }))
    nodes.insert({ next: 'b' }, 'a')
    nodes.insert({ next: 'c' }, 'b')
    nodes.insert({ next: 'a' }, 'c')
    nodes.insert({ next: 'e' }, 'd')
    nodes.insert({ next: 'e' }, 'e')
    await sdk.sync()
    expect(Object.keys(server.live('Node')).sort()).toEqual(['real a', 'real b', 'real c', 'real d', 'real e'])
    expect(server.live('Node')['real d']).toEqual({ next: 'real e' })
    expect(sdk.changes()).toEqual([])
  })

  test('a resync removes what the server no longer has, and never what is unsent', async () => {
    const { sdk, server, owners } = await loggedIn()
    server.write('Owner', { a: { name: 'A' }, b: { name: 'B' }, c: { name: 'C' } })
    await sdk.sync()
    server.decide = () => ({ queue: true })
    const made = owners.insert({ name: 'mine' })
    const rows = server.collection('Owner').rows
    rows.delete('b')
    server.nonce = 'after a reset'
    sdk.pageSize = 1
    await sdk.sync()
    expect(seen(owners)).toEqual({ a: { name: 'A' }, c: { name: 'C' }, [made.object]: { name: 'mine' } })
    expect(owners.hasChanges(made.object)).toBe(true)
  })

  test('after a lost answer the same numbers and keys are sent again', async () => {
    const { sdk, server, owners } = await loggedIn()
    await sdk.sync()
    const made = owners.insert({ name: 'once' })
    server.after = request => {
      if (request === 'POST /app/v1/Owner') throw new TypeError('the connection broke')
    }
    await expect(sdk.sync('Owner')).rejects.toMatchObject({ code: 'offline' })
    expect(owners.canModify(made.object)).toBe(false)
    owners.change(made.object, { name: 'twice' })
    server.after = () => {}
    await sdk.sync()
    const [first, second, third] = server.pushes.map(({ push }) => push.mutations)
    expect(second).toEqual(first)
    expect(third).toMatchObject([
      { number: 2, operation: 'update', attributes: { name: 'twice' }, was: { name: 'once' } },
    ])
    expect(seen(owners)).toEqual({ [made.object]: { name: 'twice' } })
    expect(server.live('Owner')).toEqual({ [made.object]: { name: 'twice' } })
  })

  test('a refused change is rolled back and kept, with what depends on it', async () => {
    const { sdk, server, owners, children } = await loggedIn()
    server.write('Owner', { a: { name: 'A' } })
    await sdk.sync()
    server.decide = () => ({ status: 'refused' })
    owners.change('a', { name: 'mine' })
    const made = owners.insert({ name: 'no' })
    const child = children.insert({ owner: made.object })
    await sdk.sync()
    expect(seen(owners)).toEqual({ a: { name: 'A' } })
    expect(seen(children)).toEqual({})
    expect(
      sdk.refused().map(({ object, operation, status, error }) => [object, operation, status, error.code]),
    ).toEqual([
      ['a', 'update', 'refused', 'refused'],
      [made.object, 'create', 'refused', 'refused'],
      [child.object, 'create', 'depends_on_refused', 'depends_on_refused'],
    ])
  })

  test('a handler retries a refused change', async () => {
    const { sdk, server, owners, device } = await loggedIn()
    server.write('Owner', { a: { name: 'A' } })
    await sdk.sync()
    device.onRefused('Owner', refusal =>
      device.resolveRefusal(refusal, refusal.operation === 'create' ? 'recreate' : 'retry'),
    )
    let refusals = 2
    server.decide = () => (refusals-- > 0 ? { status: 'refused' } : {})
    owners.change('a', { name: 'mine' })
    const made = owners.insert({ name: 'yes' })
    await sdk.sync()
    expect(seen(owners)).toEqual({ a: { name: 'mine' }, [made.object]: { name: 'yes' } })
    expect(server.live('Owner')).toEqual(seen(owners))
    expect(sdk.refused()).toEqual([])
  })

  test.each(['retry', 'recreate'] as const)('a handler that retries for ever (%s) blocks no sync', async action => {
    const { sdk, server, owners, children, device } = await loggedIn()
    server.write('Owner', { a: { name: 'A' } })
    await sdk.sync()
    device.onRefused('Owner', refusal => device.resolveRefusal(refusal, action))
    let refusals = 50
    server.decide = (_, source) => (source === 'Owner' && refusals-- > 0 ? { status: 'refused' } : {})
    if (action === 'retry') owners.change('a', { name: 'mine' })
    else owners.insert({ name: 'mine' })
    children.insert({ name: 'another' })
    const requested = () => server.pushes.filter(({ source }) => source === 'Owner').length
    const before = requested()
    await sdk.sync()
    expect(requested() - before).toBeLessThanOrEqual(10)
    expect(Object.values(server.live('Child'))).toEqual([{ name: 'another' }])
    expect(owners.anyChanges()).toBe(true)
    server.decide = () => ({})
    await sdk.sync()
    expect([owners.anyChanges(), server.live('Owner')]).toEqual([false, seen(owners)])
  })

  test('a change refused before its model moved to another partition is handled there', async () => {
    const { sdk, server, owners, device } = await loggedIn()
    server.decide = () => ({ status: 'refused' })
    const made = owners.insert({ name: 'mine' }).object
    await sdk.sync()
    device.define(definition('Owner', { partition: 'app' }))
    expect(sdk.refused()).toMatchObject([{ object: made, operation: 'create' }])
    for (const refusal of sdk.refused()) device.resolveRefusal(refusal, 'recreate')
    expect(seen(owners)).toEqual({ [made]: { name: 'mine' } })
    expect(sdk.refused()).toEqual([])
  })

  test('after a change of epoch everything is pulled again, and undecided changes keep their keys', async () => {
    const { sdk, server, owners } = await loggedIn()
    server.write('Owner', { a: { name: 'A' }, b: { name: 'B' } })
    await sdk.sync()
    owners.change('a', { name: 'mine' })
    const made = owners.insert({ name: 'new' })
    server.drop('Owner', { a: { name: 'again' } })
    await sdk.sync()
    expect(server.live('Owner')).toEqual({ a: { name: 'mine' }, [made.object]: { name: 'new' } })
    expect(seen(owners)).toEqual(server.live('Owner'))
    expect(server.pushes.at(-1)?.push.mutations).toMatchObject([
      { number: 1, sent: true },
      { number: 2, sent: true },
    ])
  })

  test('outcomes of a former stay in an epoch settle no change of the present one', async () => {
    const { sdk, server, owners, device } = await loggedIn()
    server.write('Owner', { x: { name: 'X' }, y: { name: 'Y' } })
    await sdk.sync()
    const team = server.collection('Owner')
    for (const object of ['a', 'a2']) owners.insert({ name: 'first' }, object)
    server.after = request => {
      if (request === 'POST /app/v1/Owner') throw new TypeError('no network')
    }
    await sdk.sync().catch(() => {})
    server.after = () => undefined
    // The user changes the team, and comes back. Only the first page arrives.
    server.collections.delete('Owner')
    await sdk.sync()
    sdk.pageSize = 1
    server.collections.set('Owner', team)
    let pages = 0
    server.before = request => {
      if (request === 'GET /app/v1/Owner' && ++pages > 1) throw new TypeError('no network')
      return undefined
    }
    await sdk.sync().catch(() => {})
    owners.insert({ name: 'second' }, 'b')
    const before = device.clientId()
    // Each page says that outcomes are left: the device must not ask for them without end.
    server.outcomesAPage = 1
    server.requests.length = 0
    let pushes = 0
    server.before = request =>
      // The request with the new numbers meets the other team once more.
      request === 'POST /app/v1/Owner' && ++pushes === 1
        ? Response.json({ status: 409, code: 'epoch_changed', detail: 'Pull first.', epoch: 'x' }, { status: 409 })
        : undefined
    await sdk.sync()
    expect(seen(owners)).toMatchObject({ a: { name: 'first' }, a2: { name: 'first' }, b: { name: 'second' } })
    expect(server.requests.filter(request => request === 'GET /app/v1/Owner').length).toBeLessThan(20)
    expect([server.live('Owner'), owners.anyChanges()]).toEqual([seen(owners), false])
    expect(device.clientId()).not.toBe(before)
  })

  test('an unknown client gets a new id and goes on', async () => {
    const { sdk, server, owners, device, parts } = await loggedIn()
    const resyncs: (readonly string[])[] = []
    parts.events.listen(event => event.kind === 'resync' && resyncs.push([event.source, event.reason]))
    server.write('Owner', { a: { name: 'A' } })
    await sdk.sync()
    // Sources that are loaded for the first time do not start over.
    expect(resyncs).toEqual([])
    const before = device.clientId()
    server.clients.clear()
    owners.insert({ name: 'new' }, 'n')
    await sdk.sync()
    expect(device.clientId()).not.toBe(before)
    // Not only the source that noticed.
    expect(resyncs.toSorted()).toEqual(['Child', 'Owner', 'Shared'].map(name => [name, 'client']))
    expect(server.live('Owner')).toEqual({ a: { name: 'A' }, n: { name: 'new' } })
    expect(seen(owners)).toEqual(server.live('Owner'))
  })

  test('a forked device gets a new client id and sends its changes under it', async () => {
    const { sdk, server, owners, device } = await loggedIn()
    owners.insert({ name: 'first' }, 'a')
    await sdk.sync()
    const before = device.clientId() ?? ''
    // Another copy of the device has sent a mutation under the number that comes next here.
    const { mutations } = server.collection('Owner').journals.get(before) ?? {}
    const foreign = { number: 2, key: 'of another copy', operation: 'delete', object: 'none' } as const
    mutations?.set(2, { mutation: foreign, decided: true })
    owners.insert({ name: 'second' }, 'b')
    await sdk.sync()
    expect(device.clientId()).not.toBe(before)
    expect(server.live('Owner')).toEqual({ a: { name: 'first' }, b: { name: 'second' } })
    expect([seen(owners), owners.anyChanges()]).toEqual([server.live('Owner'), false])
  })

  test('an invalid client id stays invalid until another is assigned', async () => {
    const { sdk, server, owners, device } = await loggedIn()
    owners.insert({ name: 'first' }, 'a')
    await sdk.sync()
    const before = device.clientId() ?? ''
    const { mutations } = server.collection('Owner').journals.get(before) ?? {}
    mutations?.set(2, { mutation: { number: 2, key: 'another', operation: 'delete', object: 'none' }, decided: true })
    owners.insert({ name: 'second' }, 'b')
    server.before = request => (request === 'POST /rc/v1/clients' ? new Response('', { status: 503 }) : undefined)
    await sdk.sync()
    // What showed it is gone: asked once more, the server would notice nothing.
    mutations?.delete(2)
    server.before = () => undefined
    await sdk.sync()
    expect([null, before]).not.toContain(device.clientId())
    expect(server.live('Owner')).toEqual({ a: { name: 'first' }, b: { name: 'second' } })
  })

  test('a mutation has the members that the server needs, and no others', async () => {
    const { sdk, server, device } = await loggedIn()
    const whole = device.define(definition('Whole', { fullUpdate: true, belongsTo: { parent: 'Whole' } }))
    server.write('Whole', { a: { name: 'A', note: 'n' }, b: { name: 'B' } })
    await sdk.sync()
    const made = whole.insert({ name: 'new' })
    whole.insert({ parent: made.object })
    whole.change('a', { name: 'A2' })
    whole.destroy('b')
    await sdk.sync()
    const sent = () => server.pushes.at(-1)?.push.mutations.map(mutation => ({ ...mutation })) ?? []
    const key = expect.stringMatching(/^.{16,128}$/)
    const child = expect.any(String)
    expect(sent()).toEqual([
      { number: 1, key, operation: 'create', object: made.object, attributes: { name: 'new' } },
      {
        number: 2,
        key,
        operation: 'create',
        object: child,
        attributes: { parent: made.object },
        owners: [made.object],
      },
      {
        number: 3,
        key,
        operation: 'update',
        object: 'a',
        attributes: { name: 'A2', note: 'n' },
        was: { name: 'A' },
        changed: ['name'],
        seen: 1,
      },
      { number: 4, key, operation: 'delete', object: 'b', was: { name: 'B' }, seen: 1 },
    ])
    server.decide = () => ({ queue: true })
    whole.change('a', { name: 'A3' })
    await sdk.sync()
    server.clients.clear()
    await sdk.sync()
    expect(sent()).toMatchObject([{ number: 1, operation: 'update', object: 'a', sent: true }])
  })

  test('a resync removes what the server no longer has, and keeps unsent rows', async () => {
    const { sdk, server, owners } = await loggedIn()
    server.write('Owner', { a: { name: 'A' }, b: { name: 'B' } })
    await sdk.sync()
    server.collection('Owner').rows.delete('a')
    server.nonce = 'n2'
    server.before = request => (request.startsWith('POST /app/v1/') ? new Response('', { status: 503 }) : undefined)
    const made = owners.insert({ name: 'mine' })
    await sdk.sync()
    server.before = () => undefined
    await sdk.sync()
    expect(seen(owners)).toEqual({ b: { name: 'B' }, [made.object]: { name: 'mine' } })
    expect(seen(owners)).toEqual(server.live('Owner'))
  })

  test('rows with a wrong checksum are loaded again', async () => {
    const { sdk, server, owners } = await loggedIn()
    server.write('Owner', { a: { name: 'A' }, b: { name: 'B' } })
    await sdk.sync()
    server.collection('Owner').rows.delete('a')
    await sdk.sync()
    await sdk.sync()
    expect(seen(owners)).toEqual({ b: { name: 'B' } })
  })

  test('queued changes are settled by a later pull', async () => {
    const { sdk, server, owners } = await loggedIn()
    await sdk.sync()
    server.decide = () => ({ queue: true, link: 'real' })
    const made = owners.insert({ name: 'later' })
    await sdk.sync()
    expect(owners.hasChanges(made.object)).toBe(true)
    expect(seen(owners)).toEqual({ [made.object]: { name: 'later' } })
    server.decideQueued('Owner')
    await sdk.sync()
    expect(seen(owners)).toEqual({ real: { name: 'later' } })
    expect(owners.anyChanges()).toBe(false)
  })

  test('a server that lost accepted changes gets them again, one probe per sync', async () => {
    const { sdk, server, owners, device } = await loggedIn()
    await sdk.sync()
    const before = device.clientId()
    server.decide = () => ({ queue: true })
    const made = ['one', 'two', 'three'].map(name => owners.insert({ name }).object)
    const first = await sdk.sync()
    const second = await sdk.sync()
    expect([first.sent, second.sent, device.clientId()]).toEqual([3, 0, before])
    expect(server.pushes.at(-1)?.push.mutations).toMatchObject([{ number: 3, sent: true }])
    server.forgetJournal('Owner')
    await sdk.sync()
    expect(device.clientId()).not.toBe(before)
    expect(server.pushes.at(-1)?.push.mutations.map(({ object, sent }) => [object, sent])).toEqual(
      made.map(object => [object, true]),
    )
    server.decideQueued('Owner')
    await sdk.sync()
    expect(owners.anyChanges()).toBe(false)
    expect(seen(owners)).toEqual(server.live('Owner'))
  })

  test('logged out and offline are typed errors, and data stays', async () => {
    const { sdk, server, owners } = await start()
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'logged_out' })
    await sdk.login('ada', 'ada')
    owners.insert({ name: 'mine' }, 'm')
    server.before = () => {
      throw new TypeError('no network')
    }
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'offline' })
    server.before = () => undefined
    server.sessions.clear()
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'logged_out' })
    expect(sdk.isLoggedIn()).toBe(false)
    expect(seen(owners)).toEqual({ m: { name: 'mine' } })
  })

  test('another user finds no data of the previous one', async () => {
    const { sdk, server, owners, shared } = await start()
    owners.insert({ name: 'before' }, 'm')
    await sdk.login('ada', 'ada')
    await sdk.sync()
    expect(server.live('Owner')).toEqual({ m: { name: 'before' } })
    shared.insert({ note: 'unsent' }, 's')
    await expect(sdk.login('bob', 'bob')).rejects.toMatchObject({
      code: 'unsent_changes',
      message: expect.stringContaining('ada has 1 unsent change on this device'),
      details: { login: 'ada', count: 1 },
    })
    expect(sdk.userName).toBe('ada')
    owners.insert({ name: 'unsent too' }, 'u')
    await sdk.logout()
    await expect(sdk.login('bob', 'bob')).rejects.toMatchObject({ details: { login: 'ada', count: 2 } })
    await sdk.login('bob', 'bob', { discard: true })
    expect([seen(owners), seen(shared), sdk.userName]).toEqual([{}, {}, 'bob'])
  })

  test('one process synchronizes; others read and write', async () => {
    const { server, directory, sdk, owners } = await loggedIn()
    const other = await start(server, directory)
    await sdk.sync()
    let during: unknown
    server.after = async () => {
      server.after = () => {}
      other.owners.insert({ name: 'meanwhile' }, 'm')
      during = await other.sdk.sync().catch((error: unknown) => error)
    }
    await sdk.sync()
    expect(during).toMatchObject({ code: 'device_locked' })
    expect(seen(owners)).toEqual({ m: { name: 'meanwhile' } })
    await other.sdk.sync()
    expect(server.live('Owner')).toEqual({ m: { name: 'meanwhile' } })
  })

  test('stored rows are there at the next opening', async () => {
    const { sdk, server, owners, directory } = await loggedIn()
    server.write('Owner', { a: { name: 'A' } })
    await sdk.sync()
    owners.insert({ name: 'unsent' }, 'u')
    await sdk.close()
    const again = await start(server, directory)
    expect(seen(again.owners)).toEqual({ a: { name: 'A' }, u: { name: 'unsent' } })
    expect(again.sdk.isLoggedIn()).toBe(true)
    const requests = server.requests.length
    await again.sdk.sync()
    expect(server.requests.slice(requests)).toContain('POST /app/v1/Owner')
    expect(server.live('Owner')).toEqual({ a: { name: 'A' }, u: { name: 'unsent' } })
  })
})
