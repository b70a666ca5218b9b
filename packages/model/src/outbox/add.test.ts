import { verifies } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

/** Opens a device with the objects `a` and `b` from the server. */
async function start() {
  const server = new FakeServer()
  const drive = await driveOn('better-sqlite3', directories.make())
  const device = openOn(drive, server, [definition('Owner'), definition('Child', { belongsTo: { owner: 'Owner' } })])
  opened.push(device)
  await device.sdk.login('ada', 'ada')
  server.write('Owner', { a: { name: 'A', n: 1 }, b: { name: 'B' } })
  await device.sdk.sync()
  const { outbox } = device.parts.registry.scopes.user
  const waiting = (model = 'Owner') =>
    outbox.ofModel(model).map(({ operation, object, attributes, was }) => ({ operation, object, attributes, was }))
  const records = (name: string) => device.device.find(name) as Records
  return { ...device, server, waiting, owners: records('Owner'), children: records('Child') }
}

describe('the outbox', () => {
  test('merges updates into an unsent create', async () => {
    const { owners, waiting } = await start()
    expect(owners.anyChanges()).toBe(false)
    const { object } = owners.insert({ name: 'new', n: 1 })
    owners.change(object, { name: 'newer', n: null })
    expect(waiting()).toEqual([{ operation: 'create', object, attributes: { name: 'newer' }, was: {} }])
    expect(owners.anyChanges()).toBe(true)
  })

  test('merges updates; a value that is set back is no change', async () => {
    verifies('model.syncing.has-changes.updated', 'model.syncing.has-changes.unchanged')

    const { owners, waiting } = await start()
    owners.change('a', { name: 'A2' })
    owners.change('a', { name: 'A3', n: null, more: [1] })
    expect(waiting()).toEqual([
      { operation: 'update', object: 'a', attributes: { name: 'A3', n: null, more: [1] }, was: { name: 'A', n: 1 } },
    ])
    expect(owners.hasChanges('a')).toBe(true)
    owners.change('a', { name: 'A', n: 1, more: null })
    expect(waiting()).toEqual([])
    expect(owners.hasChanges('a')).toBe(false)
    expect(owners.get('a')?.attributes).toEqual({ name: 'A', n: 1 })
  })

  test('a delete has the object as it was before the unsent update', async () => {
    const { owners, waiting } = await start()
    owners.change('a', { name: 'A2', extra: true })
    owners.destroy('a')
    expect(waiting()).toEqual([{ operation: 'delete', object: 'a', attributes: {}, was: { name: 'A', n: 1 } }])
    expect(owners.hasChanges('a')).toBe(true)
    expect(owners.get('a')).toBeUndefined()
  })

  test('an object created and deleted before a push is never sent', async () => {
    const { sdk, server, owners, waiting } = await start()
    owners.destroy(owners.insert({ name: 'no' }).object)
    expect(waiting()).toEqual([])
    await sdk.sync()
    expect(server.pushes).toEqual([])
  })

  test('an object created and deleted is sent where another unsent change references it', async () => {
    const { owners, children, waiting } = await start()
    const { object } = owners.insert({ name: 'named' })
    children.insert({ owner: object })
    owners.destroy(object)
    expect(waiting().map(({ operation }) => operation)).toEqual(['create', 'delete'])
  })

  test('a delete and a create of one object become an update of the difference', async () => {
    const { owners, waiting } = await start()
    owners.destroy('a')
    owners.insert({ name: 'A', n: 2 }, 'a')
    expect(waiting()).toEqual([{ operation: 'update', object: 'a', attributes: { n: 2 }, was: { n: 1 } }])
    owners.destroy('a')
    owners.insert({ name: 'A', n: 1 }, 'a')
    expect(waiting()).toEqual([])
    expect(owners.get('a')?.attributes).toEqual({ name: 'A', n: 1 })
  })

  test('a change that references a temporary id is not merged into one made before that id', async () => {
    const { sdk, server, owners, children, waiting } = await start()
    const child = children.insert({ note: 'first' })
    const owner = owners.insert({ name: 'later' })
    children.change(child.object, { owner: owner.object })
    children.change(child.object, { note: 'joins the second' })
    expect(waiting('Child')).toEqual([
      { operation: 'create', object: child.object, attributes: { note: 'first' }, was: {} },
      {
        operation: 'update',
        object: child.object,
        attributes: { owner: owner.object, note: 'joins the second' },
        was: { note: 'first' },
      },
    ])
    server.decide = mutation => (mutation.operation === 'create' ? { link: `real ${mutation.object}` } : {})
    await sdk.sync()
    expect(server.live('Child')).toEqual({
      [`real ${child.object}`]: { owner: `real ${owner.object}`, note: 'joins the second' },
    })
    expect(waiting('Child')).toEqual([])
  })

  test('a reference of an object to itself is sent after its create, once its id is known', async () => {
    const device = await start()
    const { sdk, server, parts } = device
    const tree = device.device.define(definition('Tree', { belongsTo: { parent: 'Tree' } }))
    const { object } = tree.insert({ note: 'root' })
    tree.change(object, { parent: object })
    expect(parts.registry.scopes.user.outbox.ofModel('Tree').map(({ operation }) => operation)).toEqual([
      'create',
      'update',
    ])
    server.decide = ({ operation }) => (operation === 'create' ? { link: 'real' } : {})
    await sdk.sync()
    expect(server.live('Tree')).toEqual({ real: { note: 'root', parent: 'real' } })
  })

  test('changes in a request stay as they are; later edits wait for the outcome', async () => {
    const { sdk, server, owners } = await start()
    server.decide = () => ({ queue: true, attributes: { name: 'MINE', n: 5 } })
    owners.change('a', { name: 'mine' })
    await sdk.sync()
    expect(owners.canModify('a')).toBe(false)
    expect(owners.canModify('b')).toBe(true)
    owners.change('a', { name: 'mine again' })
    server.write('Owner', { a: { name: 'theirs', n: 5 } })
    await sdk.sync()
    expect(owners.get('a')?.attributes).toEqual({ name: 'mine again', n: 5 })
    server.decideQueued('Owner')
    server.decide = () => ({})
    await sdk.sync()
    expect(server.pushes.at(-1)?.push.mutations).toMatchObject([
      { attributes: { name: 'mine again' }, was: { name: 'MINE' } },
    ])
    expect(owners.hasChanges('a')).toBe(false)
    expect(owners.canModify('a')).toBe(true)
    expect(owners.get('a')?.attributes).toEqual(server.live('Owner')['a'])
  })

  test('a transaction that throws leaves neither rows nor changes', async () => {
    const { device, owners, waiting } = await start()
    const before = owners.read(EVERYTHING)
    expect(() =>
      device.transaction(() => {
        owners.insert({ name: 'no' })
        owners.change('a', { name: 'no' })
        owners.destroy('b')
        throw new Error('back')
      }),
    ).toThrow('back')
    expect(owners.read(EVERYTHING)).toEqual(before)
    expect(waiting()).toEqual([])
  })
})
