import { afterEach, describe, expect, test } from '@jest/globals'
import type { SdkEvent } from '../events/sdk-events.js'
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

async function open() {
  const server = new FakeServer()
  const definitions = [definition('Book', { partition: 'app' }), definition('Author')]
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, definitions)
  opened.push(device)
  const heard: SdkEvent[] = []
  device.parts.events.listen(event => heard.push(event))
  const [books, authors] = [device.device.find('Book') as Records, device.device.find('Author') as Records]
  const displayed = () =>
    Object.fromEntries(books.read(EVERYTHING).map(({ object, attributes }) => [object, attributes]))
  server.write('Book', { mine: { title: 'here' } })
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
  server.found.set('Book', { f1: { title: 'found' }, f2: { title: 'found too' }, mine: { title: 'older' } })
  return { ...device, server, heard, books, authors, displayed }
}

/** No sync notices anything wrong. */
async function calmly({ sdk, heard }: Pick<Awaited<ReturnType<typeof open>>, 'sdk' | 'heard'>) {
  heard.length = 0
  await sdk.sync()
  expect(heard.filter(({ kind }) => kind === 'repaired' || kind === 'resync' || kind === 'error')).toEqual([])
}

describe('search', () => {
  test('adds found rows, and reports errors of other sources', async () => {
    const { sdk, displayed, ...rest } = await open()
    expect(await sdk.search({ search: 'found' })).toEqual({
      sources: [
        { source: 'Book', objects: ['f1', 'f2', 'mine'] },
        {
          source: 'Author',
          objects: [],
          error: { code: 'operation_not_supported', message: 'Author cannot be searched.' },
        },
      ],
    })
    expect(displayed()).toEqual({ mine: { title: 'here' }, f1: { title: 'found' }, f2: { title: 'found too' } })
    await calmly({ sdk, ...rest })
    expect(Object.keys(displayed())).toEqual(['mine', 'f1', 'f2'])
  })

  test('a search replaces the rows of the last one; a search with an offset adds to them', async () => {
    const { sdk, server, displayed } = await open()
    await sdk.search({ sources: 'Book', search: 'found', max_results: 1 })
    expect(Object.keys(displayed())).toEqual(['mine', 'f1'])
    await sdk.search({ sources: ['Book'], search: 'found', offset: 1, max_results: 1 })
    expect(Object.keys(displayed())).toEqual(['mine', 'f1', 'f2'])
    server.found.set('Book', { f3: { title: 'another' } })
    await sdk.search({ sources: ['Book'], search: 'another' })
    expect(Object.keys(displayed())).toEqual(['mine', 'f3'])
    await expect(sdk.search({ sources: 'Nothing', search: '' })).rejects.toMatchObject({ code: 'model_unknown' })
  })

  test('results that do not fit one reply are requested in several, up to the number that the app wants', async () => {
    const { sdk, server, displayed } = await open()
    const many = Array.from({ length: 7 }, (_, at) => [`f${at}`, { title: `${at}` }] as const)
    server.found.set('Book', Object.fromEntries(many))
    server.foundAtOnce = 2
    expect(await sdk.search({ sources: 'Book', search: 'found', max_results: 5 })).toEqual({
      sources: [{ source: 'Book', objects: ['f0', 'f1', 'f2', 'f3', 'f4'] }],
    })
    expect(Object.keys(displayed())).toEqual(['mine', 'f0', 'f1', 'f2', 'f3', 'f4'])
    await sdk.search({ sources: 'Book', search: 'found', offset: 5 })
    expect(Object.keys(displayed())).toEqual(['mine', 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6'])
  })

  test('a sync that brings a found row makes it permanent, and a resync keeps the others', async () => {
    const { sdk, server, displayed, ...rest } = await open()
    await sdk.search({ search: 'found' })
    server.write('Book', { f1: { title: 'as it is' } })
    await calmly({ sdk, ...rest })
    expect(displayed()['f1']).toEqual({ title: 'as it is' })
    server.nonce = 'another'
    await sdk.sync()
    server.drop('Book', { f1: { title: 'new' } })
    await sdk.sync()
    await calmly({ sdk, ...rest })
    expect(displayed()).toEqual({ f1: { title: 'new' }, f2: { title: 'found too' } })
    server.write('Book', { f1: null })
    await calmly({ sdk, ...rest })
    expect(Object.keys(displayed())).toEqual(['f2'])
  })

  test('a change of a found row is sent, stays visible, and is never in the checksum', async () => {
    const { sdk, server, books, displayed, ...rest } = await open()
    await sdk.search({ search: 'found' })
    server.decide = () => ({ outside: true })
    books.change('f1', { note: 'mine' })
    books.destroy('f2')
    expect(server.pushes).toEqual([])
    await calmly({ sdk, ...rest })
    expect(server.pushes.flatMap(({ push }) => push.mutations)).toMatchObject([
      { operation: 'update', object: 'f1', attributes: { note: 'mine' } },
      { operation: 'delete', object: 'f2', was: { title: 'found too' } },
    ])
    expect(server.pushes[0]?.push.mutations[0]).not.toHaveProperty('seen')
    expect(displayed()).toEqual({ mine: { title: 'here' }, f1: { title: 'found', note: 'mine' } })
    expect(books.anyChanges()).toBe(false)
    await sdk.search({ search: 'found' })
    expect(displayed()['f1']).toEqual({ title: 'found' })
  })

  test('a refused change of a found row is rolled back; a search keeps unsent changes', async () => {
    const { sdk, server, books, displayed, ...rest } = await open()
    await sdk.search({ search: 'found' })
    server.decide = () => ({ status: 'refused' })
    books.change('f1', { title: 'mine' })
    books.destroy('f2')
    await sdk.search({ search: 'found' })
    expect(displayed()).toEqual({ mine: { title: 'here' }, f1: { title: 'mine' } })
    await calmly({ sdk, ...rest })
    expect(displayed()).toEqual({ mine: { title: 'here' }, f1: { title: 'found' }, f2: { title: 'found too' } })
  })

  test('ends the session where the server ended it, as a sync does', async () => {
    const { sdk, server } = await open()
    const problem = { type: 'about:blank', title: 'Unauthorized', status: 401 }
    const over = { ...problem, code: 'session_missing', detail: 'It is gone.' }
    server.before = request => (request.endsWith('/search') ? Response.json(over, { status: 401 }) : undefined)
    await expect(sdk.search({ search: 'found' })).rejects.toMatchObject({ code: 'logged_out' })
    expect(sdk.isLoggedIn()).toBe(false)
    server.before = () => undefined
    await sdk.login('ada', 'ada')
    expect((await sdk.search({ sources: 'Book', search: 'found' })).sources).toMatchObject([{ source: 'Book' }])
  })

  test('removes found rows of a shared partition at a login of another user', async () => {
    const { sdk, displayed } = await open()
    await sdk.search({ search: 'found' })
    await sdk.login('eve', 'eve')
    expect(displayed()).toEqual({ mine: { title: 'here' } })
  })

  test('rejects when no user is logged in or the server is unreachable', async () => {
    const { sdk, server } = await open()
    server.before = () => {
      throw new TypeError('no network')
    }
    await expect(sdk.search({ search: 'x' })).rejects.toMatchObject({ code: 'offline' })
    await sdk.logout()
    await expect(sdk.search({ search: 'x' })).rejects.toMatchObject({ code: 'logged_out' })
  })
})
