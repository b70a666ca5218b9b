import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import Database from 'better-sqlite3'
import { endAll } from '../harness/process.js'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

const models = {
  Owner: defineModel('Owner', { sync: 'incremental', priority: 5, attributes: { note: t.string() } }),
  Child: defineModel('Child', {
    sync: 'incremental',
    priority: 1,
    attributes: { ownerId: t.belongsTo('Owner', { as: 'owner', serverName: 'owner' }), note: t.string() },
  }),
  Book: defineModel('Book', { sync: 'incremental', attributes: { title: t.string(), note: t.string().optional() } }),
  Report: defineModel('Report', { sync: 'incremental', attributes: { year: t.string() } }),
  Atlas: defineModel('Atlas', { sync: 'incremental', attributes: { name: t.string() } }),
} as const

let folder: ReturnType<typeof temporaryFolder>
let server: ServerProcess
beforeEach(async () => {
  folder = temporaryFolder()
  server = await startServer({ store: 'memory:', config: 'model-calls.mjs' })
})
afterEach(async () => {
  await endAll()
  folder.remove()
})

async function open(name = 'device') {
  const sdk = await openSdk({ directory: join(folder.path, name), server: server.url, models })
  sdk.pollInterval = 0
  const Note = sdk.addModel('Note', model => model.enable('sync'))
  return { sdk, Note, notes: () => Note.find('all').map(record => record.get('note')) }
}

async function loggedIn(name?: string) {
  const device = await open(name)
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
  return device
}

describe('what the backend refuses', () => {
  test('a create is dropped or sent again, as the app says', async () => {
    verifies('model.syncing.on-sync-create-error')

    const { sdk, Note, notes } = await loggedIn()
    Note.create({ note: 'once a' })
    Note.create({ note: 'never' })
    await sdk.sync()
    expect(notes()).toEqual([])
    const refused = (note: string) => sdk.refused().filter(({ attributes }) => attributes['note'] === note)
    Note.onSyncCreateError(refused('never'), 'delete')
    Note.onSyncCreateError(refused('once a'), 'recreate')
    expect([notes(), sdk.refused()]).toEqual([['once a'], []])
    await sdk.sync()
    expect([notes(), Note.anyChangedObjects(), sdk.refused()]).toEqual([['once a'], false, []])
    expect(Note.find('first')?.object).toMatch(/^real/)
    await sdk.close()
  })

  test('an update is sent again or stays rolled back', async () => {
    verifies('model.syncing.on-sync-update-error')

    const { sdk, Note } = await loggedIn()
    Note.create({ note: 'before' })
    await sdk.sync()
    const record = () => Note.find('first')
    const id = record()?.object ?? ''
    record()?.update_attributes({ note: 'never' })
    await sdk.sync()
    expect(record()?.get('note')).toBe('before')
    Note.onSyncUpdateError(id, { note: 'never' }, { note: 'before' }, 'rollback')
    expect([record()?.get('note'), sdk.refused(), Note.hasChanges(id)]).toEqual(['before', [], false])
    record()?.update_attributes({ note: 'once b' })
    await sdk.sync()
    Note.onSyncUpdateError(id, { note: 'once b' }, { note: 'before' }, 'retry')
    expect([record()?.get('note'), Note.hasChanges(id)]).toEqual(['once b', true])
    await sdk.sync()
    expect([record()?.get('note'), Note.hasChanges(id), sdk.refused()]).toEqual(['once b', false, []])
    await sdk.close()
  })

  test('a delete is sent again by a refusal handler; other actions are errors', async () => {
    verifies('model.syncing.on-sync-delete-error')

    const { sdk, Note, notes } = await loggedIn()
    Note.create({ note: 'plain' })
    await sdk.sync()
    Note.find('first')?.update_attributes({ note: 'once c' })
    await sdk.sync()
    const [refused] = sdk.refused()
    Note.onSyncUpdateError(refused?.object ?? '', {}, {}, 'retry')
    await sdk.sync()
    expect(notes()).toEqual(['once c'])
    const heard: string[] = []
    Note.onRefused(({ object, operation, attributes }) => {
      heard.push(operation)
      Note.onSyncDeleteError(object, attributes, 'retry')
    })
    Note.find('first')?.destroy()
    await sdk.sync()
    await sdk.sync()
    expect([heard, notes(), sdk.refused(), Note.anyChangedObjects()]).toEqual([['delete'], [], [], false])
    expect(() => Note.onSyncDeleteError('x', {}, 'rollback' as 'retry')).toThrow(/takes retry/)
    expect(() => Note.onSyncCreateError([], 'retry' as 'delete')).toThrow(/delete or recreate/)
    expect(() => Note.onSyncUpdateError('x', {}, {}, 'delete' as 'retry')).toThrow(/retry or rollback/)
    const other = await loggedIn('other')
    expect(other.notes()).toEqual([])
    await Promise.all([sdk.close(), other.sdk.close()])
  })
})

describe('a device and its server', () => {
  test('pushChanges sends all changes of a model, and a sync notes its time', async () => {
    verifies('model.syncing.push-changes', 'model.syncing.get-backend-refresh-time')

    const { sdk, Note } = await open()
    expect(Note.getBackendRefreshTime()).toBe('')
    await sdk.login('ada', 'ada')
    const before = Date.now()
    await sdk.sync()
    const time = Date.parse(Note.getBackendRefreshTime())
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
    Note.create({ note: 'one' })
    Note.create({ note: 'two' })
    sdk.models.Owner.create({ note: 'stays' })
    await Note.pushChanges()
    expect([Note.anyChangedObjects(), sdk.changes().map(({ model }) => model)]).toEqual([false, ['Owner']])
    const other = await loggedIn('other')
    expect(other.notes().sort()).toEqual(['one', 'two'])
    await Promise.all([sdk.close(), other.sdk.close()])
  })

  test('owners are sent before their children, whatever the priorities, and ids are replaced in all sources', async () => {
    const { sdk } = await loggedIn()
    const sources: string[] = []
    const listening = (async () => {
      for await (const event of sdk.events()) if (event.kind === 'source') sources.push(event.source)
    })()
    for (let at = 0; at < 5; at++) {
      const owner = sdk.models.Owner.create({ note: `owner ${at}` })
      sdk.models.Child.create({ ownerId: owner.id, note: `child ${at}` })
    }
    await sdk.sync()
    expect(sources.indexOf('Owner')).toBeLessThan(sources.indexOf('Child'))
    expect(sdk.changes()).toEqual([])
    const other = await loggedIn('other')
    const children = other.sdk.models.Child.find({ with: { owner: true } })
    expect(children.map(({ owner, note }) => [owner?.note, note]).sort()).toEqual(
      Array.from({ length: 5 }, (_, at) => [`owner ${at}`, `child ${at}`]),
    )
    await Promise.all([sdk.close(), other.sdk.close()])
    await listening
  })

  test('another user does not log in over unsent changes unless they may be dropped', async () => {
    const admin = await AdminClient.login({ url: server.url, login: 'admin', password: ADMIN_PASSWORD })
    await admin.users.create({ login: 'eve', password: 'eve' })
    const { sdk, Note, notes } = await loggedIn()
    Note.create({ note: 'of ada' })
    await expect(sdk.login('eve', 'eve')).rejects.toMatchObject({ code: 'unsent_changes' })
    expect([sdk.userName, notes()]).toEqual(['ada', ['of ada']])
    await sdk.login('eve', 'eve', { discard: true })
    expect([sdk.userName, notes(), sdk.changes()]).toEqual(['eve', [], []])
    await sdk.sync()
    expect(notes()).toEqual([])
    await sdk.close()
  })

  test('a client that the server forgot is created again, and nothing is lost or duplicated', async () => {
    const { sdk, Note, notes } = await loggedIn()
    Note.create({ note: 'first' })
    await sdk.sync()
    const client = sdk.clientId() ?? ''
    const admin = await AdminClient.login({ url: server.url, login: 'admin', password: ADMIN_PASSWORD })
    await admin.users.deleteClient('ada', client)
    Note.create({ note: 'second' })
    const { sources } = await sdk.sync()
    expect(sources.filter(({ error }) => error)).toMatchObject([])
    expect(sdk.clientId()).not.toBe(client)
    expect([notes().sort(), sdk.changes()]).toEqual([['first', 'second'], []])
    await sdk.close()
  })

  test('a stopped sync resumes where it was', async () => {
    const { sdk, Note } = await loggedIn()
    sdk.transaction(() => {
      for (let at = 0; at < 40; at++) Note.create({ note: `n${at}` })
    })
    await sdk.sync()
    const other = await open('other')
    await other.sdk.login('ada', 'ada')
    other.sdk.pageSize = 5
    let pages = 0
    other.sdk.setNotification('Note', ({ status }) => {
      if (status === 'in_progress' && ++pages === 3) void other.sdk.stopSync()
    })
    expect(await other.sdk.sync('Note')).toMatchObject({ stopped: true, received: 15 })
    expect(other.Note.getCount()).toBe(15)
    expect(await other.sdk.sync('Note')).toMatchObject({ stopped: false, received: 25 })
    expect(other.Note.getCount()).toBe(40)
    await Promise.all([sdk.close(), other.sdk.close()])
  })

  test('damaged rows are repaired, the others stay', async () => {
    const { sdk, Note } = await loggedIn()
    sdk.transaction(() => {
      for (let at = 0; at < 20; at++) Note.create({ note: `n${at}` })
    })
    await sdk.sync()
    await sdk.close()
    const file = new Database(join(folder.path, 'device', 'user.sqlite'))
    file.exec(`DELETE FROM "bag_Note" WHERE seq % 4 = 0`)
    file.exec(`UPDATE source SET state = json_set(state, '$.checksum', '0000000000000001') WHERE name = 'Note'`)
    file.close()
    const again = await open()
    const heard: unknown[] = []
    const listening = (async () => {
      for await (const event of again.sdk.events()) if (event.kind === 'repaired') heard.push(event)
    })()
    await again.sdk.sync()
    expect(again.notes().sort()).toEqual(Array.from({ length: 20 }, (_, at) => `n${at}`).sort())
    await again.sdk.close()
    await listening
    expect(heard).toEqual([{ kind: 'repaired', source: 'Note', rows: 5 }])
  })
})

describe('what a device asks for', () => {
  test('parameters of a sync reach the query of the source', async () => {
    const { sdk } = await open()
    await sdk.login('ada', 'ada')
    const year = () => sdk.models.Report.get('only')?.year
    await sdk.sync('Report', { year: '2025' })
    expect(year()).toBe('2025')
    await sdk.sync('Report', { year: '2026 & more' })
    expect(year()).toBe('2026 & more')
    await sdk.sync('Report')
    expect(year()).toBe('2026 & more')
    await sdk.close()
  })

  test('a search brings rows that only the backend has, and changes of them reach it', async () => {
    const { sdk } = await loggedIn()
    const { Book } = sdk.models
    expect(await sdk.search({ sources: ['Book', 'Report'], search: 's' })).toMatchObject({
      sources: [
        { source: 'Book', objects: ['b2'] },
        { source: 'Report', objects: [], error: { code: 'operation_not_supported' } },
      ],
    })
    Book.update('b2', { note: 'read' })
    const { sources } = await sdk.sync('Book')
    expect([sources, sdk.refused(), sdk.changes()]).toEqual([[{ source: 'Book', received: 0, sent: 1 }], [], []])
    expect(Book.find()).toEqual([{ id: 'b2', title: 'Ulysses', note: 'read' }])
    Book.destroy('b2')
    await sdk.sync('Book')
    await sdk.search({ sources: 'Book', search: '' })
    expect(Book.find()).toEqual([{ id: 'b1', title: 'Emma' }])
    await sdk.close()
  })

  test('a bulk_only source is skipped, with a hint', async () => {
    const { sdk } = await open()
    await sdk.login('ada', 'ada')
    const reported: unknown[] = []
    const listening = (async () => {
      for await (const event of sdk.events()) if (event.kind === 'skipped') reported.push(event)
    })()
    const { sources } = await sdk.sync()
    expect(sources).toContainEqual({ source: 'Atlas', received: 0, sent: 0, skipped: 'bulk_only' })
    expect(sources.filter(({ error }) => error)).toEqual([])
    await sdk.close()
    await listening
    expect(reported).toMatchObject([{ source: 'Atlas', message: expect.stringContaining('bulk_data') }])
  })
})
