import { afterEach, describe, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { ManualTimers } from '../testing/manual-timers.js'
import { definition, driveOn, type Opened, openOn, temporaryDirectories } from '../testing/open-device.js'
import type { SdkEvent } from './events.js'

const directories = temporaryDirectories()
const opened: Opened[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const half = (bytes: Uint8Array) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>).fill(128)
const settled = () => new Promise(resolve => setTimeout(resolve, 20))

async function open({ eventStream = false } = {}) {
  const [server, timers] = [new FakeServer(), new ManualTimers()]
  let ids = 0
  const random = (bytes: Uint8Array) => {
    half(bytes)
    if (bytes.length > 4) new DataView(bytes.buffer).setUint32(0, ++ids)
  }
  const drive = await driveOn('better-sqlite3', directories.make())
  const device = openOn(drive, server, [definition('City'), definition('Visit')], { timers, eventStream, random })
  opened.push(device)
  const heard: SdkEvent[] = []
  device.parts.events.listen(event => heard.push(event))
  const records = (name: string) => device.device.find(name) as Records
  const pulls = (name: string) => server.requests.filter(request => request === `GET /app/v1/${name}`).length
  return { ...device, server, timers, heard, records, pulls }
}

describe('a device by itself', () => {
  test('synchronizes every 60 seconds after a login, and never with 0 [behaviour.sdk.poll-interval.default]', async () => {
    const { sdk, server, timers, records } = await open()
    server.write('City', { c: { name: 'Paris' } })
    await sdk.login('ada', 'ada')
    timers.pass(59_999)
    await settled()
    expect(records('City').count(EVERYTHING)).toBe(0)
    timers.pass(1)
    await settled()
    expect(records('City').count(EVERYTHING)).toBe(1)
    expect(timers.waits).toEqual([60_000])
    sdk.pollInterval = 0
    expect(timers.waits).toEqual([])
    expect(() => {
      sdk.pollInterval = 1e9
    }).toThrow(expect.objectContaining({ code: 'value_not_allowed' }))
  })

  test('backs off while the server fails, and sync asks at once all the same [behaviour.sdk.sync.back-off]', async () => {
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

  test('leaves the server alone for as long as it asks', async () => {
    const { sdk, server, timers } = await open()
    await sdk.login('ada', 'ada')
    server.before = request =>
      request.startsWith('GET') ? new Response('', { status: 503, headers: { 'retry-after': '120' } }) : undefined
    const summary = await sdk.sync()
    expect(summary.sources[0]?.error).toMatchObject({ code: 'store_unavailable', retryAfter: 120 })
    expect(timers.waits).toEqual([120_000])
  })

  test('takes a date to wait for by the clock that wrote it', async () => {
    const { sdk, server, timers } = await open()
    await sdk.login('ada', 'ada')
    const headers = { date: 'Mon, 01 Jan 2001 06:00:00 GMT', 'retry-after': 'Mon, 01 Jan 2001 06:02:00 GMT' }
    server.before = request => (request.startsWith('GET') ? new Response('', { status: 503, headers }) : undefined)
    await sdk.sync()
    expect(timers.waits).toEqual([120_000])
  })

  test('goes on by itself before it has models, and ends with the session', async () => {
    const server = new FakeServer()
    const timers = new ManualTimers()
    const device = openOn(await driveOn('better-sqlite3', directories.make()), server, [], { timers })
    opened.push(device)
    await device.sdk.login('ada', 'ada')
    timers.pass(60_000)
    await settled()
    expect(timers.waits).toEqual([60_000])
    device.device.define(definition('City'))
    server.write('City', { c: {} })
    timers.pass(60_000)
    await settled()
    expect(device.device.find('City')?.count(EVERYTHING)).toBe(1)
    server.sessions.clear()
    timers.pass(60_000)
    await settled()
    expect([device.sdk.isLoggedIn(), timers.waits]).toEqual([false, []])
  })
})

describe('a device that listens', () => {
  test('hears of changes, and syncs their source alone', async () => {
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
    server.events.tell('change', { source: 'City' })
    server.events.tell('change', { source: 'City' })
    await settled()
    timers.pass(500)
    await settled()
    expect(records('City').count(EVERYTHING)).toBe(1)
    expect(pulls('Visit')).toBe(before)
  })

  test('pulls once when the stream is open, and on check', async () => {
    const { sdk, server, timers, pulls } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await settled()
    timers.pass(5000)
    await settled()
    expect(pulls('City')).toBe(2)
    server.events.tell('check')
    await settled()
    timers.pass(5000)
    await settled()
    expect(pulls('City')).toBe(3)
  })

  test('tells the app of a ping, and syncs what it names', async () => {
    const { sdk, server, timers, heard, pulls } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await settled()
    timers.pass(5000)
    await settled()
    server.events.tell('ping', { message: 'Hello', badge: 3, sound: 'bell', vibrate: 2, do_sync: ['Visit'] })
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
    expect([pulls('City'), pulls('Visit')]).toEqual([2, 3])
  })

  test('comes back when the stream ends, when the server falls silent, and not once it is logged out', async () => {
    const { sdk, server, timers } = await open({ eventStream: true })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    await settled()
    const asked = () => server.requests.filter(request => request.endsWith('/events')).length
    server.events.hangUp()
    await settled()
    expect([server.events.open.size, asked()]).toEqual([0, 1])
    timers.pass(1000)
    await settled()
    expect([server.events.open.size, asked()]).toEqual([1, 2])
    timers.pass(50_000)
    server.events.tell('')
    await settled()
    timers.pass(59_999)
    await settled()
    expect([server.events.open.size, asked()]).toEqual([1, 2])
    timers.pass(1)
    await settled()
    timers.pass(1000)
    await settled()
    expect([server.events.open.size, asked()]).toEqual([1, 3])
    await sdk.logout()
    await settled()
    timers.pass(1_000_000)
    await settled()
    expect([server.events.open.size, asked()]).toEqual([0, 3])
  })
})
