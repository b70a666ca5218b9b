import type { Attributes } from '@godwit/protocol'
import { afterEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { SdkEvent } from '../events/sdk-events.js'
import { entriesOf, storeState } from '../outbox/object-state.js'
import { EVERYTHING } from '../query/query-tree.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const books = (count: number): Record<string, Attributes> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`b${at}`, { title: `book ${at}` }]))

async function synced(objects: Record<string, Attributes>, definitions = [definition('Book')]) {
  const server = new FakeServer()
  const { sdk, parts, device } = openOn(await driveOn('better-sqlite3', directories.make()), server, definitions)
  const model = parts.registry.get('Book') as NonNullable<ReturnType<typeof parts.registry.get>>
  const heard: SdkEvent[] = []
  parts.events.listen(event => heard.push(event))
  await sdk.login('ada', 'ada')
  server.write('Book', objects)
  await sdk.sync()
  heard.length = 0
  const records = device.find('Book') as Records
  const displayed = () =>
    Object.fromEntries(records.read(EVERYTHING).map(({ object, attributes }) => [object, attributes]))
  const requested = (what: string) => server.requests.filter(request => request.endsWith(what)).length
  return { server, sdk, model, heard, records, displayed, requested }
}

describe('rows with a wrong checksum', () => {
  test('are compared with the server, and only differences are fetched', async () => {
    const { server, sdk, model, heard, displayed, requested } = await synced(books(30))
    sdk.pageSize = 10
    model.rows.remove('b3')
    model.rows.update('b4', { version: 77, pass: 1, attributes: { title: 'wrong' } })
    model.rows.insert('stranger', { version: 5, pass: 1, attributes: { title: 'not there' } })
    model.scope.sources.change('Book', { checksum: '0123456789abcdef' })
    const summary = await sdk.sync()
    expect(displayed()).toEqual(server.live('Book'))
    expect(heard).toContainEqual({ kind: 'repaired', source: 'Book', rows: 3 })
    expect(summary.sources).toEqual([{ source: 'Book', received: 0, sent: 0 }])
    expect([requested('/versions'), requested('/objects')]).toEqual([4, 1])
    heard.length = 0
    await sdk.sync()
    expect(heard.map(({ kind }) => kind)).toEqual(['progress', 'source', 'complete'])
    expect(model.scope.sources.get('Book').mended).toBe(0)
  })

  test.each([
    { objectsAnAnswer: 2, requests: 3 },
    // An answer that leaves all of them ends their repair, which the next sync begins again.
    { objectsAnAnswer: 0, requests: 1 },
  ])(
    'that an answer leaves are asked for again ($objectsAnAnswer an answer)',
    async ({ objectsAnAnswer, requests }) => {
      const { server, sdk, model, displayed, requested } = await synced(books(6))
      for (const id of ['b0', 'b1', 'b2', 'b3', 'b4']) model.rows.remove(id)
      model.scope.sources.change('Book', { checksum: '0123456789abcdef' })
      Object.assign(server, { objectsAnAnswer })
      await sdk.sync()
      expect(requested('/objects')).toBe(requests)
      server.objectsAnAnswer = 500
      if (objectsAnAnswer === 0) await sdk.sync()
      expect(displayed()).toEqual(server.live('Book'))
    },
  )

  test('keep unsent changes, and the server row beneath them is repaired', async () => {
    const { server, sdk, model, records, displayed } = await synced(books(3))
    server.decide = () => ({ queue: true })
    const made = records.insert({ title: 'mine' })
    records.change('b1', { note: 'mine' })
    records.change('b2', { note: 'mine' })
    const wrong = { version: 9, pass: 1, attributes: { title: 'wrong' }, dead: false }
    storeState(model, 'b1', { serverRow: wrong, entries: entriesOf(model, 'b1') })
    storeState(model, 'b2', { serverRow: undefined, entries: entriesOf(model, 'b2') })
    model.scope.sources.change('Book', { checksum: '0123456789abcdef' })
    await sdk.sync()
    expect(displayed()).toEqual({
      b0: { title: 'book 0' },
      b1: { title: 'book 1', note: 'mine' },
      b2: { title: 'book 2', note: 'mine' },
      [made.object]: { title: 'mine' },
    })
    server.decideQueued('Book')
    await sdk.sync()
    expect(displayed()).toEqual(server.live('Book'))
  })

  test('are pulled again where repair did not help, and never adopt the checksum of the server', async () => {
    const { server, sdk, heard, requested } = await synced(books(3))
    const right = server.sum
    server.sum = () => 'ffffffffffffffff'
    await sdk.sync()
    expect(heard.filter(({ kind }) => kind !== 'progress')).toMatchObject([
      { kind: 'repaired', rows: 0 },
      { kind: 'resync', reason: 'checksum' },
      { kind: 'repaired', rows: 0 },
      { kind: 'error', error: { code: 'checksum_differs' } },
      { kind: 'source' },
      { kind: 'complete' },
    ])
    heard.length = 0
    await sdk.sync()
    expect(heard.map(({ kind }) => kind)).toEqual(['progress', 'repaired', 'progress', 'error', 'source', 'complete'])
    server.sum = right
    heard.length = 0
    const before = requested('/versions')
    await sdk.sync()
    expect(heard.map(({ kind }) => kind)).toEqual(['progress', 'source', 'complete'])
    expect(requested('/versions')).toBe(before)
  })

  test('are pulled again from a server without repair', async () => {
    const { server, sdk, model, heard, displayed } = await synced(books(3))
    server.before = request =>
      request.endsWith('/versions') ? Response.json({ code: 'route_not_found' }, { status: 404 }) : undefined
    model.rows.remove('b1')
    model.scope.sources.change('Book', { checksum: '0123456789abcdef' })
    await sdk.sync()
    expect(displayed()).toEqual(server.live('Book'))
    expect(heard).toContainEqual({ kind: 'resync', source: 'Book', reason: 'checksum' })
  })

  test('are repaired by the next sync when the network fails meanwhile', async () => {
    const { server, sdk, model, displayed } = await synced(books(5))
    sdk.pageSize = 2
    for (const object of ['b0', 'b2', 'b4']) model.rows.remove(object)
    model.scope.sources.change('Book', { checksum: '0123456789abcdef' })
    let left = 3
    server.before = request => {
      if (/versions|objects/.test(request) && left-- <= 0) throw new TypeError('no network')
      return undefined
    }
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'offline' })
    server.before = () => undefined
    await sdk.sync()
    expect(displayed()).toEqual(server.live('Book'))
  })

  const id = fc.constantFrom('b0', 'b1', 'b2', 'b3', 'b4', 'b5', 'é', '😀', '10', '9', 'constructor')
  const harm = fc.record({
    what: fc.constantFrom('lost', 'other version', 'stranger', 'sum'),
    object: id,
    version: fc.integer({ min: 1, max: 40 }),
  })
  const write = fc.record({ object: id, title: fc.option(fc.constantFrom('x', 'y', 'z')) })

  test('any damage is repaired, whatever changes meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 15 }),
        fc.array(harm, { minLength: 1, maxLength: 8 }),
        fc.array(fc.option(write), { maxLength: 12 }),
        fc.array(fc.record({ object: id, remove: fc.boolean() }), { maxLength: 3 }),
        fc.integer({ min: 1, max: 4 }),
        async (before, harms, meanwhile, edits, pageSize) => {
          const { server, sdk, model, records, displayed, heard } = await synced(books(4))
          const apply = ({ object, title }: { object: string; title: string | null }) =>
            server.write('Book', { [object]: title === null ? null : { title } })
          for (const one of before) apply(one)
          sdk.pageSize = pageSize
          await sdk.sync()
          for (const { what, object, version } of harms) {
            const row = { version: 1000 + version, pass: 1, attributes: { title: 'harmed' } }
            if (what === 'lost') model.rows.remove(object)
            if (what === 'other version') model.rows.update(object, row)
            if (what === 'stranger') model.rows.insert(object, row)
            if (what === 'sum') model.scope.sources.change('Book', { checksum: '00000000000000ff' })
          }
          for (const { object, remove } of edits)
            remove ? records.destroy(object) : records.change(object, { note: 'mine' })
          model.scope.sources.change('Book', { checksum: 'abcdef0123456789' })
          const waiting = [...meanwhile]
          server.after = request => {
            const next = /versions|objects|GET/.test(request) ? waiting.shift() : undefined
            if (next) apply(next)
          }
          await sdk.sync()
          server.after = () => {}
          await sdk.sync()
          expect(displayed()).toEqual(server.live('Book'))
          expect(heard.filter(({ kind }) => kind === 'error' || kind === 'resync')).toEqual([])
          expect(heard.filter(({ kind }) => kind === 'repaired')).toHaveLength(1)
          await sdk.close()
          directories.removeAll()
        },
      ),
      { numRuns: 40 },
    )
  }, 120_000)
})
