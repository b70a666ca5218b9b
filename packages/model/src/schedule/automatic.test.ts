import { describe, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import { automaticDevices } from '../testing/automatic-devices.fixture.js'
import { definition } from '../testing/open-device.js'

const { open, settled } = automaticDevices()

describe('automatic sync', () => {
  test('pulls at once after a login, then every 60 seconds, and never with 0', async () => {
    const { sdk, server, timers, records } = await open()
    server.write('City', { c: { name: 'Paris' } })
    await sdk.login('ada', 'ada')
    expect(timers.waits).toEqual([0])
    timers.pass(0)
    await settled()
    expect(records('City').count(EVERYTHING)).toBe(1)
    expect(timers.waits).toEqual([60_000])
    server.write('City', { d: { name: 'Rome' } })
    timers.pass(60_000)
    await settled()
    expect(records('City').count(EVERYTHING)).toBe(2)
    sdk.pollInterval = 0
    expect(timers.waits).toEqual([])
    expect(() => {
      sdk.pollInterval = 1e9
    }).toThrow(expect.objectContaining({ code: 'value_not_allowed' }))
  })

  test('sends nothing where pollInterval is 0, set before or just after the login', async () => {
    const { sdk, server, timers, records } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    sdk.pollInterval = 0
    records('City').insert({ name: 'Paris' })
    timers.pass(1_000_000)
    await settled()
    expect(server.requests).toEqual(['POST /rc/v1/app/login'])
    await sdk.sync()
    records('City').insert({ name: 'Rome' })
    const before = server.requests.length
    timers.pass(1_000_000)
    await settled()
    await sdk.close()
    expect(server.requests).toHaveLength(before)
  })

  test('a poll pulls a source once whose unsent changes wait behind undecided ones', async () => {
    const { sdk, server, timers, records } = await open()
    await sdk.login('ada', 'ada')
    timers.pass(0)
    await settled()
    server.decide = () => ({ queue: true, link: 'real' })
    const made = records('City').insert({ name: 'first' })
    timers.pass(60_000)
    await settled()
    records('City').change(made.object, { name: 'second' })
    server.requests.length = 0
    timers.pass(60_000)
    await settled()
    expect(server.requests.filter(request => request.endsWith('/City'))).toEqual([
      'POST /app/v1/City',
      'GET /app/v1/City',
    ])
    server.decide = () => ({})
    server.decideQueued('City')
    timers.pass(60_000)
    await settled()
    expect(records('City').anyChanges()).toBe(false)
    expect(server.live('City')).toEqual({ real: { name: 'second' } })
  })

  test('a sync requested before the first one begins joins it', async () => {
    const { sdk, server, timers, pulls } = await open()
    server.write('City', { c: { name: 'Paris' } })
    await sdk.login('ada', 'ada')
    expect(await sdk.sync()).toMatchObject({ received: 1 })
    timers.pass(0)
    await settled()
    expect([pulls('City'), timers.waits]).toEqual([1, [60_000]])
  })

  test('a sync requested while the first one runs joins it, and sends later writes', async () => {
    const { sdk, server, timers, records, pulls } = await open()
    server.write('City', { c: { name: 'Paris' } })
    server.write('Visit', { v: { note: 'Louvre' } })
    await sdk.login('ada', 'ada')
    const gate = Promise.withResolvers<void>()
    server.after = request => (request === 'GET /app/v1/Visit' ? gate.promise : undefined)
    timers.pass(0)
    await settled()
    expect([records('City').count(EVERYTHING), records('Visit').count(EVERYTHING)]).toEqual([1, 0])
    const both = [sdk.sync(), sdk.sync()]
    server.write('City', { d: { name: 'Rome' } })
    records('City').insert({ name: 'Oslo' })
    gate.resolve()
    const [first] = await Promise.all(both)
    // Paris, Rome and the row that was sent.
    expect(first).toMatchObject({ received: 4, sent: 1, stopped: false })
    expect(first?.sources.map(({ source, received }) => [source, received])).toEqual([
      ['City', 3],
      ['Visit', 1],
    ])
    expect([records('City').count(EVERYTHING), Object.keys(server.live('City'))]).toHaveLength(2)
    expect(records('City').count(EVERYTHING)).toBe(3)
    expect(sdk.getLastSyncObjectCount('Visit')).toBe(1)
    expect(pulls('Visit')).toBeLessThanOrEqual(3)
  })

  test('begins when a device with a session is opened, and leaves none of its models out', async () => {
    const { server, directory, sdk } = await open({ models: [] })
    await sdk.login('ada', 'ada')
    await sdk.close()
    server.write('City', { c: {} })
    const { timers, ...device } = await open({ models: [], server, directory })
    const City = new device.sdk.NewORMModel('City')
    City.enable('sync')
    timers.pass(0)
    await settled()
    expect(City.getCount()).toBe(1)
    server.write('Note', { n: {} })
    const Note = device.sdk.addModel('Note', model => model.enable('sync'))
    timers.pass(0)
    await settled()
    expect(Note.getCount()).toBe(1)
  })

  test('backs off while the server fails, but an explicit sync runs at once', async () => {
    const { sdk, server, timers, pulls } = await open()
    await sdk.login('ada', 'ada')
    server.before = request => {
      if (request.startsWith('GET')) throw new TypeError('no network')
      return undefined
    }
    const waits: (number | undefined)[] = []
    timers.pass(60_000)
    for (let attempt = 0; attempt < 11; attempt++) {
      await settled()
      waits.push(timers.waits[0])
      timers.pass(timers.waits[0] ?? 0)
    }
    expect(waits.map(wait => Math.round((wait ?? 0) / 100) / 10)).toEqual([
      0.5, 1, 2, 4, 8, 16.1, 32.1, 64.3, 128.5, 150.6, 150.6,
    ])
    await settled()
    server.before = () => undefined
    const before = pulls('City')
    await sdk.sync()
    expect(pulls('City')).toBe(before + 1)
    expect(timers.waits).toEqual([60_000])
  })

  test('waits for as long as the server asks', async () => {
    const { sdk, server, timers } = await open()
    await sdk.login('ada', 'ada')
    server.before = request =>
      request.startsWith('GET') ? new Response('', { status: 503, headers: { 'retry-after': '120' } }) : undefined
    const summary = await sdk.sync()
    expect(summary.sources[0]?.error).toMatchObject({ code: 'store_unavailable', retryAfter: 120 })
    expect(timers.waits).toEqual([120_000])
  })

  test('reads a Retry-After date by the clock of the server', async () => {
    const { sdk, server, timers } = await open()
    await sdk.login('ada', 'ada')
    const headers = { date: 'Mon, 01 Jan 2001 06:00:00 GMT', 'retry-after': 'Mon, 01 Jan 2001 06:02:00 GMT' }
    server.before = request => (request.startsWith('GET') ? new Response('', { status: 503, headers }) : undefined)
    await sdk.sync()
    expect(timers.waits).toEqual([120_000])
  })

  test('runs before models are defined, and ends with the session', async () => {
    const { server, timers, ...device } = await open({ models: [] })
    await device.sdk.login('ada', 'ada')
    timers.pass(0)
    await settled()
    expect(timers.waits).toEqual([60_000])
    device.device.define(definition('City'))
    server.write('City', { c: {} })
    timers.pass(0)
    await settled()
    expect(device.device.find('City')?.count(EVERYTHING)).toBe(1)
    server.sessions.clear()
    timers.pass(60_000)
    await settled()
    expect([device.sdk.isLoggedIn(), timers.waits]).toEqual([false, []])
  })
})

describe('a device that listens', () => {
  test('receives changes, and syncs only their source', async () => {
    const { sdk, server, timers, records, pulls } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    expect(server.events.open.size).toBe(0)
    await sdk.sync()
    await settled()
    expect(server.events.open.size).toBe(1)
    timers.pass(5000)
    await settled()
    const before = pulls('Visit')
    server.write('City', { c: { name: 'Paris' } })
    server.events.report('change', { source: 'City' })
    server.events.report('change', { source: 'City' })
    await settled()
    timers.pass(500)
    await settled()
    expect(records('City').count(EVERYTHING)).toBe(1)
    expect(pulls('Visit')).toBe(before)
  })

  test('pulls what it lacks when the stream opens, and on check', async () => {
    const { sdk, server, timers, pulls } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await settled()
    timers.pass(5000)
    await settled()
    expect([pulls('City'), pulls('Visit')]).toEqual([1, 1])
    server.write('City', { c: {} })
    server.events.report('check', server.check())
    await settled()
    timers.pass(0)
    await settled()
    expect([pulls('City'), pulls('Visit')]).toEqual([2, 1])
    server.events.report('check')
    await settled()
    timers.pass(5000)
    await settled()
    expect([pulls('City'), pulls('Visit')]).toEqual([3, 2])
  })

  test('a sync counts the rows that a hint brought beside it', async () => {
    const later = definition('Visit', { syncPriority: 2000 })
    const { sdk, server, timers, pulls } = await open({ eventStream: true, models: [definition('City'), later] })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await settled()
    timers.pass(5000)
    await settled()
    const gate = Promise.withResolvers<void>()
    server.after = request => (request === 'GET /app/v1/City' ? gate.promise : undefined)
    const syncing = sdk.sync()
    server.write('Visit', { v: { note: 'Louvre' } })
    server.events.report('change', { source: 'Visit', ...server.head('Visit'), within: 0 })
    await settled()
    timers.pass(500)
    await settled()
    expect(pulls('Visit')).toBe(2)
    gate.resolve()
    expect(await syncing).toMatchObject({
      received: 1,
      sources: [
        { source: 'City', received: 0 },
        { source: 'Visit', received: 1, sent: 0 },
      ],
    })
    expect(await sdk.sync()).toMatchObject({ received: 0 })
  })

  test('does not pull what it has, and marks a pull that a hint caused', async () => {
    const { sdk, server, timers, pulls } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    server.write('City', { c: {} })
    await sdk.sync()
    await settled()
    server.events.report('change', { source: 'City', ...server.head('City'), within: 0 })
    await settled()
    timers.pass(10_000)
    await settled()
    expect([pulls('City'), server.hinted]).toEqual([1, []])
    server.write('City', { d: {} })
    server.events.report('change', { source: 'City', ...server.head('City'), within: 0 })
    await settled()
    timers.pass(0)
    await settled()
    expect(pulls('City')).toBe(2)
    server.write('City', { e: {} })
    timers.pass(500)
    server.events.report('change', { source: 'City', ...server.head('City'), within: 4000 })
    await settled()
    timers.pass(1900)
    await settled()
    expect(pulls('City')).toBe(2)
    timers.pass(200)
    await settled()
    expect([pulls('City'), server.hinted]).toEqual([3, ['City', 'City']])
  })

  test('reports a ping to the app, and syncs the sources that it names', async () => {
    const { sdk, server, timers, heard, pulls } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await settled()
    timers.pass(5000)
    await settled()
    server.events.report('ping', { message: 'Hello', badge: 3, sound: 'bell', vibrate: 2, do_sync: ['Visit'] })
    await settled()
    expect(heard).toContainEqual({
      kind: 'ping',
      message: 'Hello',
      badge: 3,
      sound: 'bell',
      vibrate: 2,
      sources: ['Visit'],
    })
    timers.pass(500)
    await settled()
    expect([pulls('City'), pulls('Visit')]).toEqual([1, 2])
    expect(server.hinted).toEqual([])
  })

  test('reconnects spread as the server said last, by a last event, with a heartbeat or on the stream before', async () => {
    const { sdk, server, timers, pulls } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await settled()
    timers.pass(5000)
    await settled()
    const breaks = async (): Promise<number> => {
      // Until no pull waits for the one before it.
      timers.pass(600)
      await settled()
      server.events.hangUp()
      await settled()
      const wait = timers.waits[0] ?? 0
      timers.pass(wait)
      await settled()
      expect(server.events.open.size).toBe(1)
      return wait
    }
    server.events.report('spread', { within: 8000 })
    await settled()
    expect(await breaks()).toBeCloseTo(4000, -2)
    // A restarted server knows of few streams: what was said before counts, for what is lacking too.
    server.write('City', { c: {} })
    const before = pulls('City')
    server.events.report('check', { ...server.check(), within: 1 })
    await settled()
    timers.pass(3900)
    await settled()
    expect(pulls('City')).toBe(before)
    timers.pass(200)
    await settled()
    expect(pulls('City')).toBe(before + 1)
    expect(await breaks()).toBeCloseTo(4000, -2)
    server.events.report('spread', { within: 4000 })
    server.events.report('')
    await settled()
    expect(await breaks()).toBeCloseTo(2000, -2)
    server.before = request => (request.endsWith('/events') ? new Response('', { status: 503 }) : undefined)
    server.events.hangUp()
    await settled()
    timers.pass(timers.waits[0] ?? 0)
    await settled()
    expect(timers.waits[0]).toBeCloseTo(2000, -2)
  })

  test('reconnects when the stream ends or the server is silent, and not after a logout', async () => {
    const { sdk, server, timers } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await settled()
    const requested = () => server.requests.filter(request => request.endsWith('/events')).length
    server.events.hangUp()
    await settled()
    expect([server.events.open.size, requested()]).toEqual([0, 1])
    timers.pass(1000)
    await settled()
    expect([server.events.open.size, requested()]).toEqual([1, 2])
    timers.pass(50_000)
    server.events.report('')
    await settled()
    timers.pass(59_999)
    await settled()
    expect([server.events.open.size, requested()]).toEqual([1, 2])
    timers.pass(1)
    await settled()
    timers.pass(1000)
    await settled()
    expect([server.events.open.size, requested()]).toEqual([1, 3])
    await sdk.logout()
    await settled()
    timers.pass(1_000_000)
    await settled()
    expect([server.events.open.size, requested()]).toEqual([0, 3])
  })
})
