import { until, verifies } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { SyncNotification } from '../events/notifications.js'
import type { ObjectNotification } from '../events/object-notifications.js'
import type { SdkEvent } from '../events/sdk-events.js'
import { platformTimers } from '../platform/timers.js'
import { EVERYTHING } from '../query/query-tree.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import { uncaughtErrors } from '../testing/uncaught-errors.fixture.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const definitions = [
  definition('City'),
  definition('Visit', { belongsTo: { city: 'City' } }),
  definition('Note', { partition: 'local', syncType: 'none' }),
]

async function open(server = new FakeServer(), options: Parameters<typeof openOn>[3] = {}) {
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, definitions, options)
  opened.push(device)
  const records = (name: string) => device.device.find(name) as Records
  return { ...device, server, cities: records('City'), visits: records('Visit'), notes: records('Note') }
}
const cities = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, { name: `city ${at}` }]))

describe('the SDK', () => {
  test('opens and ends a session', async () => {
    const { sdk, server } = await open()
    expect([sdk.isLoggedIn(), sdk.userName, sdk.clientId()]).toEqual([false, null, null])
    await expect(sdk.login('ada', 'wrong')).rejects.toMatchObject({ code: 'invalid_credentials' })
    await sdk.login('ada', 'ada')
    expect([sdk.isLoggedIn(), sdk.userName]).toEqual([true, 'ada'])
    await sdk.logout()
    expect(sdk.isLoggedIn()).toBe(false)
    expect(server.requests.at(-1)).toBe('POST /rc/v1/app/logout')
  })

  test('keeps the client id of its first sync, over logout and login', async () => {
    const { sdk } = await open()
    const City = sdk.getModel('City')
    await sdk.login('ada', 'ada')
    await sdk.sync()
    const client = sdk.clientId()
    expect([typeof client, City?.client_id()]).toEqual(['string', client])
    await sdk.logout()
    await sdk.login('ada', 'ada')
    expect([sdk.clientId(), City?.client_id()]).toEqual([client, client])
  })

  test('asks for pages of 2000 rows', async () => {
    const { sdk, server } = await open()
    await sdk.login('ada', 'ada')
    server.write('City', cities(2001))
    await sdk.sync('City')
    expect(server.requests.filter(request => request === 'GET /app/v1/City')).toHaveLength(2)
  })

  test('synchronizes one source and leaves the others alone', async () => {
    const { sdk, server, cities: mine } = await open()
    await sdk.login('ada', 'ada')
    server.write('City', cities(1))
    server.write('Visit', { v: { city: 'c0' } })
    expect(await sdk.sync('Visit')).toMatchObject({ sources: [{ source: 'Visit', received: 1 }] })
    expect(mine.count(EVERYTHING)).toBe(0)
    await expect(sdk.sync('Nothing')).rejects.toMatchObject({ code: 'model_unknown' })
  })

  test('does not reject when one source fails, and syncs the others', async () => {
    const { sdk, server } = await open()
    await sdk.login('ada', 'ada')
    const heard: SyncNotification[] = []
    sdk.setNotification('City', notification => heard.push(notification))
    server.before = request => (request.includes('City') ? new Response('', { status: 500 }) : undefined)
    const summary = await sdk.sync()
    expect(summary.sources).toMatchObject([{ source: 'City', error: { code: 'internal' } }, { source: 'Visit' }])
    expect(heard).toContainEqual(
      expect.objectContaining({
        status: 'error',
        error_code: 'internal',
        error_message: expect.stringContaining('500'),
      }),
    )
  })

  test('notifies page by page, with true counts', async () => {
    const { sdk, server } = await open()
    await sdk.login('ada', 'ada')
    sdk.pageSize = 2
    server.write('City', cities(3))
    const [own, all]: [SyncNotification[], SyncNotification[]] = [[], []]
    sdk.setNotification('City', notification => own.push(notification))
    sdk.setNotification('*', notification => all.push(notification))
    await sdk.sync()
    const short = ({ source_name, status, processed_count, cumulative_count, total_count }: SyncNotification) => [
      source_name,
      status,
      processed_count,
      cumulative_count,
      total_count,
    ]
    expect(own.map(short)).toEqual([
      ['City', 'in_progress', 2, 2, 3],
      ['City', 'in_progress', 1, 3, 3],
      ['City', 'ok', 0, 3, 3],
      ['*', 'complete', 0, 3, 0],
    ])
    expect(all.map(({ source_name, status }) => `${source_name} ${status}`)).toContain('Visit ok')
    const before = own.length
    sdk.clearNotification('City')
    await sdk.sync()
    expect(own).toHaveLength(before)
  })

  test('reports that the schema of a source changed', async () => {
    const { sdk, server } = await open()
    await sdk.login('ada', 'ada')
    const heard: string[] = []
    sdk.setNotification('City', ({ status }) => heard.push(status))
    const answers = server.fetch
    let version = '1.0'
    const withSchema = async (...given: Parameters<typeof fetch>) => {
      const answer = await answers(...given)
      return String(given[0]).includes('/City')
        ? Response.json({ ...((await answer.json()) as object), schema: { version } })
        : answer
    }
    const device = openOn(await driveOn('better-sqlite3', directories.make()), { fetch: withSchema }, definitions)
    opened.push(device)
    await device.sdk.login('ada', 'ada')
    device.sdk.setNotification('City', ({ status }) => heard.push(status))
    await device.sdk.sync()
    expect(heard).not.toContain('schema_changed')
    version = '2.0'
    await device.sdk.sync()
    expect(heard).toContain('schema_changed')
  })

  test('delivers its events one after the other, until it is closed', async () => {
    const { sdk, server } = await open()
    const heard: SdkEvent[] = []
    const listening = (async () => {
      for await (const event of sdk.events()) heard.push(event)
    })()
    await sdk.login('ada', 'ada')
    server.write('City', cities(1))
    await sdk.sync('City')
    await sdk.close()
    await listening
    expect(heard.map(({ kind }) => kind)).toEqual(['status', 'progress', 'source', 'complete'])
  })

  test('stops between pages, keeps what is stored and resumes there', async () => {
    const { sdk, server, cities: mine } = await open()
    await sdk.login('ada', 'ada')
    sdk.pageSize = 2
    server.write('City', cities(9))
    sdk.setNotification('City', ({ cumulative_count }) => {
      if (cumulative_count === 4) void sdk.stopSync()
    })
    expect(await sdk.sync('City')).toMatchObject({ stopped: true })
    const stored = mine.count(EVERYTHING)
    expect(stored).toBeGreaterThanOrEqual(4)
    expect(stored).toBeLessThan(9)
    sdk.clearNotification('City')
    await sdk.sync('City')
    expect(mine.count(EVERYTHING)).toBe(9)
    expect(sdk.getLastSyncObjectCount('City')).toBe(9 - stored)
    expect(sdk.getLastSyncObjectCount()).toBe(9 - stored)
  })

  test('knows when a source was synchronized', async () => {
    const { sdk } = await open()
    expect(sdk.refreshTime('City')).toBe('')
    await sdk.login('ada', 'ada')
    await sdk.sync('City')
    expect(sdk.refreshTime('City')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('resets the given models', async () => {
    const { sdk, server, cities: mine, notes } = await open()
    await sdk.login('ada', 'ada')
    server.write('City', cities(3))
    await sdk.sync()
    notes.insert({ text: 'local' })
    sdk.databaseLocalReset()
    expect([mine.count(EVERYTHING), notes.count(EVERYTHING)]).toEqual([3, 0])
    notes.insert({ text: 'stays' })
    mine.insert({ name: 'unsent' })
    sdk.databaseFullReset()
    expect([mine.count(EVERYTHING), notes.count(EVERYTHING), mine.anyChanges()]).toEqual([0, 1, false])
    const client = sdk.clientId()
    expect(await sdk.sync()).toMatchObject({ received: 3, sent: 0 })
    expect([mine.count(EVERYTHING), sdk.clientId()]).toEqual([3, client])
    sdk.databaseClientReset()
    await sdk.sync()
    expect(mine.count(EVERYTHING)).toBe(3)
    expect(sdk.clientId()).not.toBe(client)
    mine.insert({ name: 'sent as the new client' })
    await sdk.sync()
    expect(Object.keys(server.live('City'))).toHaveLength(4)
  })

  test('polls while a user is logged in, and not with an interval of 0', async () => {
    const { sdk, server } = await open(undefined, { timers: platformTimers })
    expect(sdk.pollInterval).toBe(60)
    sdk.pollInterval = 0.02
    await sdk.login('ada', 'ada')
    const polls = () => server.requests.filter(request => request === 'GET /app/v1/City').length
    await until(() => polls() >= 2)
    sdk.pollInterval = 0
    await sdk.stopSync()
    const before = server.requests.length
    await new Promise(resolve => setTimeout(resolve, 80))
    expect(server.requests).toHaveLength(before)
  })

  test('a notification handler that throws stops no other', async () => {
    const { sdk, server } = await open()
    const uncaught = uncaughtErrors()
    const heard: string[] = []
    sdk.setNotification('City', () => {
      throw new Error('the view is gone')
    })
    sdk.setNotification('*', ({ status }) => heard.push(status))
    await sdk.login('ada', 'ada')
    server.write('City', cities(1))
    await sdk.sync('City')
    const thrown = uncaught.taken()
    expect(heard).toEqual(['in_progress', 'ok', 'complete'])
    expect(thrown).toContainEqual(new Error('the view is gone'))
  })

  test('refuses calls after it was closed', async () => {
    const { sdk, cities: mine } = await open()
    await sdk.close()
    await sdk.close()
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'sdk_closed' })
    expect(() => mine.insert({})).toThrow(expect.objectContaining({ code: 'sdk_closed' }))
  })

  test('refuses calls of models after it was closed', async () => {
    const { sdk } = await open()
    const Note = sdk.addModel('Note', model => model.enable('sync'))
    const note = Note.create({ text: 'train' })
    await sdk.close()
    const sql = ['text = ?', 'train']
    for (const ask of [
      () => Note.find(),
      () => Note.find('count', { conditions: sql }),
      () => Note.find_by_sql('SELECT * FROM Note'),
      () => Note.findById(note.object),
      () => Note.delete_all({ conditions: sql }),
      () => Note.getBackendRefreshTime(),
      () => Note.hasChanges(note.object),
      () => Note.canModify(note.object),
      () => Note.changed(),
      () => Note.client_id(),
      () => Note.setModelProperty('text'),
      () => note.get('text'),
      () => note.save(),
      () => sdk.addModel('Other'),
    ])
      expect(ask).toThrow(expect.objectContaining({ code: 'sdk_closed' }))
    await expect(Note.pushChanges()).resolves.toBeUndefined()
  })

  test('reports which objects a sync added, changed and removed', async () => {
    const { sdk, server, visits } = await open()
    const heard: ObjectNotification[] = []
    sdk.setObjectNotification(notification => heard.push(notification))
    await sdk.login('ada', 'ada')
    server.write('Visit', { a: { n: 1 }, b: { n: 1 }, c: { n: 1 } })
    await sdk.sync('Visit')
    const reported = (...objects: string[]) => objects.map(object => ({ source_name: 'Visit', object }))
    expect(heard).toEqual([{ created: reported('a', 'b', 'c'), updated: [], deleted: [] }])
    heard.length = 0
    server.decide = () => ({ link: 'real' })
    visits.insert({ n: 2 })
    await sdk.sync('Visit')
    expect(heard).toEqual([
      { created: reported('real'), updated: [], deleted: [] },
      { created: [], updated: reported('real'), deleted: [] },
    ])
    heard.length = 0
    sdk.addObjectNotify('Visit', 'b')
    sdk.addObjectNotify('Visit', 'c')
    server.write('Visit', { a: { n: 2 }, b: { n: 2 }, c: null })
    await sdk.sync('Visit')
    expect(heard).toEqual([{ created: [], updated: reported('b'), deleted: reported('c') }])
    heard.length = 0
    sdk.removeObjectNotify('Visit', 'b')
    server.write('Visit', { b: { n: 3 } })
    await sdk.sync('Visit')
    sdk.clearObjectNotification()
    sdk.removeObjectNotify('Visit', 'c')
    server.write('Visit', { b: { n: 4 } })
    await sdk.sync('Visit')
    expect(heard).toEqual([])
  })

  test('passes query parameters to the first pull of a source, and refuses reserved names', async () => {
    const { sdk, server } = await open()
    await sdk.login('ada', 'ada')
    server.write('City', cities(5))
    sdk.pageSize = 2
    await sdk.sync('City', { country: 'France & co' })
    expect(server.queries.map(query => query.get('country'))).toEqual(['France & co', null, null])
    await expect(sdk.sync('City', { token: 'x' })).rejects.toMatchObject({ code: 'query_invalid' })
  })

  test('skips bulk_only models, and says so', async () => {
    const { sdk, device, parts, server } = await open()
    device.define(definition('Atlas', { syncType: 'bulk_only' }))
    const heard: SdkEvent[] = []
    parts.events.listen(event => heard.push(event))
    await sdk.login('ada', 'ada')
    server.before = request =>
      request.endsWith('/City')
        ? Response.json({ code: 'bulk_only', detail: 'Ask for bulk data.' }, { status: 409 })
        : undefined
    const { sources } = await sdk.sync()
    expect(sources).toMatchObject([
      { source: 'City', skipped: 'bulk_only' },
      { source: 'Atlas', skipped: 'bulk_only' },
      { source: 'Visit' },
    ])
    expect(sources.filter(({ error }) => error)).toEqual([])
    expect(heard).toContainEqual({
      kind: 'skipped',
      source: 'City',
      reason: 'bulk_only',
      message: 'Ask for bulk data.',
    })
    expect(server.requests).not.toContain('GET /app/v1/Atlas')
    expect(await sdk.sync('Atlas')).toMatchObject({ sources: [{ source: 'Atlas', skipped: 'bulk_only' }] })
  })

  test('a handler of refused changes that throws harms no sync', async () => {
    const { sdk, parts, device, server, cities: mine, visits } = await open()
    const heard: SdkEvent[] = []
    parts.events.listen(event => heard.push(event))
    await sdk.login('ada', 'ada')
    await sdk.sync()
    device.onRefused('City', () => {
      throw new Error('a mistake in the app')
    })
    server.decide = (_, source) => (source === 'City' ? { status: 'refused' } : {})
    mine.insert({ name: 'no' })
    mine.insert({ name: 'never' })
    visits.insert({ note: 'yes' })
    const summary = await sdk.sync()
    expect(summary).toMatchObject({ sent: 3 })
    expect(summary.sources.filter(({ error }) => error)).toEqual([])
    expect(sdk.refused('City')).toHaveLength(2)
    expect(heard.filter(({ kind }) => kind === 'error')).toMatchObject([
      { source: 'City', error: { message: expect.stringContaining('a mistake in the app') } },
      { source: 'City' },
    ])
  })

  test('synchronizes what changed, models of lower priority numbers first', async () => {
    verifies('model.properties.sync-priority.order', 'model.properties.sync-type.incremental')

    const { sdk, device, parts, server } = await open()
    device.define(definition('Late', { syncPriority: 2000 }))
    device.define(definition('Early', { syncPriority: 1 }))
    await sdk.login('ada', 'ada')
    for (const name of ['Late', 'City', 'Early']) server.write(name, cities(3))
    const done: string[] = []
    parts.events.listen(event => {
      if (event.kind === 'source') done.push(event.source)
    })
    await sdk.sync()
    expect(done.filter(name => name !== 'Visit')).toEqual(['Early', 'City', 'Late'])
    server.write('Late', { c1: { name: 'another' }, c2: null })
    expect(await sdk.sync('Late')).toMatchObject({ received: 2 })
  })

  test('skips a model that does not sync, which is the default', async () => {
    verifies('model.properties.sync-type.none')

    const { sdk, server } = await open()
    const Plain = sdk.addModel('Plain')
    expect(Plain.sync_type).toBe('none')
    Plain.create({ name: 'here' })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    expect(server.requests.filter(request => request.includes('Plain'))).toEqual([])
    await expect(sdk.sync('Plain')).rejects.toMatchObject({ code: 'model_unknown' })
    expect([Plain.getCount(), sdk.changes()]).toEqual([1, []])
  })
})
