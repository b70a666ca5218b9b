import { describe, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import { automaticDevices } from '../testing/automatic-devices.fixture.js'
import { definition } from '../testing/open-device.js'

const { open, settled } = automaticDevices()

/** A device whose first sync is done. */
async function synced(options: Parameters<typeof open>[0] = {}) {
  const device = await open(options)
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
  await settled()
  const pass = async (milliseconds: number) => {
    device.timers.pass(milliseconds)
    await settled()
  }
  return { ...device, pass }
}

describe('what the app writes', () => {
  test('is pushed automatically, at most once a second', async () => {
    const { server, records, pulls, sends, pass } = await synced()
    const City = records('City')
    City.insert({ name: 'P' }, 'p')
    await pass(49)
    expect([Object.keys(server.live('City')), pulls('City'), sends('City')]).toEqual([['p'], 1, 1])
    for (const name of ['Pa', 'Par', 'Pari', 'Paris']) {
      City.change('p', { name })
      await pass(100)
    }
    expect(sends('City')).toBe(1)
    await pass(1000)
    expect([server.live('City')['p'], pulls('City'), sends('City')]).toEqual([{ name: 'Paris' }, 1, 2])
    await pass(10_000)
    expect(sends('City')).toBe(2)
  })

  test('while a request is under way leaves with the next one, a second later', async () => {
    const { server, records, sends, pass } = await synced()
    const City = records('City')
    let writes = 0
    server.after = async request => {
      // An app that never stops to write.
      if (request === 'POST /app/v1/City' && writes < 100) City.insert({ name: `city ${writes++}` })
    }
    City.insert({ name: 'the first' })
    const counts = []
    for (let second = 0; second < 4; second++) {
      await pass(second === 0 ? 50 : 1000)
      counts.push(sends('City'))
    }
    expect(counts).toEqual([1, 2, 3, 4])
  })

  test('causes no event for a run that sent nothing', async () => {
    const { records, heard, pass, sends } = await synced()
    const [City, before] = [records('City'), heard.length]
    City.insert({ name: 'Paris' }, 'p')
    City.destroy('p')
    await pass(1000)
    expect([sends('City'), heard.slice(before)]).toEqual([0, []])
  })

  test('waits for the next sync where the app chose that', async () => {
    const { records, pass, sends, sdk } = await synced({ sendWrites: 'with-sync' })
    records('City').insert({ name: 'Paris' })
    await pass(59_000)
    expect(sends('City')).toBe(0)
    await pass(1000)
    expect(sends('City')).toBe(1)
    records('City').insert({ name: 'Rome' })
    await sdk.close()
    expect(sends('City')).toBe(1)
  })

  test('does not wait for the first pull of another source', async () => {
    const { server, device, records, pass, sends } = await synced()
    const gate = Promise.withResolvers<void>()
    server.after = request => (request === 'GET /app/v1/Note' ? gate.promise : undefined)
    device.define(definition('Note'))
    await pass(0)
    records('City').insert({ name: 'Paris' })
    records('Note').insert({ text: 'waits for the pull' })
    await pass(50)
    expect([sends('City'), sends('Note')]).toEqual([1, 0])
    gate.resolve()
    await settled()
    await pass(1000)
    expect(sends('Note')).toBe(1)
  })

  test('is sent as soon as its owner has an id', async () => {
    const belonging = definition('Visit', { belongsTo: { city: 'City' } })
    const { server, records, pass } = await synced({ models: [definition('City'), belonging] })
    server.decide = (_, source) => (source === 'City' ? { link: 'real' } : {})
    const city = records('City').insert({ name: 'Paris' })
    records('Visit').insert({ city: city.object })
    for (let time = 0; time < 5; time++) await pass(10)
    await pass(20)
    expect(Object.values(server.live('Visit'))).toEqual([{ city: 'real' }])
  })

  test('is sent soon after the outcome that it waits for, though a refusal comes with that', async () => {
    const { server, sdk, records, pass } = await synced()
    server.write('City', { other: { name: 'Other' } })
    await sdk.sync()
    server.decide = ({ object, operation }) =>
      operation === 'delete' ? {} : { queue: true, status: object === 'other' ? 'refused' : 'applied' }
    records('City').insert({ name: 'P' }, 'p')
    await pass(2000)
    records('City').change('other', { name: 'no' })
    await pass(2000)
    records('City').destroy('p')
    await pass(2000)
    server.decideQueued('City')
    await pass(60_000)
    await pass(5000)
    expect(server.live('City')).toEqual({ other: { name: 'Other' } })
  })

  test('is not sent while there is no network, and at once when there is one', async () => {
    const { server, records, pass, sends, online } = await synced()
    server.before = () => {
      throw new TypeError('no network')
    }
    records('City').insert({ name: 'Paris' })
    await pass(50)
    expect(sends('City')).toBe(1)
    const before = server.requests.length
    for (let write = 0; write < 100; write++) {
      records('City').insert({ name: `city ${write}` }, `c${write}`)
      await Promise.resolve()
    }
    await pass(400)
    expect(server.requests).toHaveLength(before)
    for (let minute = 0; minute < 5; minute++) await pass(60_000)
    expect(server.requests.length - before).toBeLessThan(30)
    server.before = () => undefined
    online()
    await settled()
    expect(Object.keys(server.live('City'))).toHaveLength(101)
  })

  test('is sent at once when the event stream reconnects', async () => {
    const { server, records, pass } = await synced({ eventStream: true })
    server.before = () => {
      throw new TypeError('no network')
    }
    server.events.hangUp()
    records('City').insert({ name: 'Paris' })
    await pass(50)
    for (let failure = 0; failure < 6; failure++) await pass(5000)
    server.before = request => (request.startsWith('GET /app') ? new Response('', { status: 500 }) : undefined)
    for (let second = 0; second < 40; second++) await pass(1000)
    expect(Object.keys(server.live('City'))).toHaveLength(1)
  })

  test('a handler that recreates every refused object causes no storm of requests', async () => {
    const { server, device, records, pass, sends } = await synced()
    server.decide = () => ({ status: 'refused' })
    device.onRefused('City', ({ attributes }) => void records('City').insert(attributes))
    records('City').insert({ name: 'no' })
    for (let second = 0; second < 59; second++) await pass(1000)
    expect(sends('City')).toBeLessThanOrEqual(7)
    expect(sends('City')).toBeGreaterThan(3)
  })

  test('an observer that writes at each change causes no storm of requests', async () => {
    const { server, records, pass, sends } = await synced({ eventStream: true })
    const [City, Visit] = [records('City'), records('Visit')]
    let count = 0
    City.observe(EVERYTHING, () => {
      if (count > 0) Visit.insert({ note: `${count}` })
      count++
    })
    for (let change = 0; change < 30; change++) {
      server.write('City', { c: { name: `${change}` } })
      server.events.report('change', { source: 'City', ...server.head('City'), within: 0 })
      await settled()
      await pass(1000)
    }
    expect(count).toBeGreaterThan(20)
    expect(sends('Visit')).toBeLessThanOrEqual(5)
    await pass(60_000)
    expect(Object.keys(server.live('Visit'))).toHaveLength(count - 1)
  })

  test('a write loop outside of callbacks is slowed down, and reported', async () => {
    const { records, pass, sends, heard } = await synced()
    for (let second = 0; second < 59; second++) {
      records('City').insert({ second })
      await pass(1000)
    }
    expect(heard.filter(({ kind }) => kind === 'busy')).toEqual([{ kind: 'busy', source: 'City' }])
    expect(sends('City')).toBeLessThanOrEqual(32)
  })

  test('is sent while the device closes, if the server was reachable just before', async () => {
    const { server, sdk, records } = await synced()
    records('City').insert({ name: 'Paris' })
    await sdk.close()
    expect(Object.values(server.live('City'))).toEqual([{ name: 'Paris' }])
  })

  test('does not keep a device open whose server does not answer', async () => {
    const { server, sdk, records, timers, sends } = await synced()
    server.before = request => {
      if (request.startsWith('POST')) throw new TypeError('no network')
      return undefined
    }
    records('City').insert({ name: 'Paris' })
    timers.pass(20)
    await settled()
    const before = sends('City')
    await sdk.close()
    expect(sends('City')).toBe(before)

    const other = await synced()
    other.server.after = request => (request.startsWith('POST') ? new Promise(() => {}) : undefined)
    other.records('City').insert({ name: 'Paris' })
    const closing = other.sdk.close()
    await settled()
    other.timers.pass(2000)
    await expect(closing).resolves.toBeUndefined()
  })

  test('is retried soon while another process syncs the device', async () => {
    const { drive, records, pass, sends, timers, server } = await synced()
    const release = drive.lock()
    records('City').insert({ name: 'Paris' })
    await pass(20)
    expect(sends('City')).toBe(0)
    await pass(200)
    release?.()
    for (let second = 0; second < 5; second++) await pass(1000)
    expect([sends('City'), Object.keys(server.live('City'))]).toHaveLength(2)
    expect(sends('City')).toBe(1)
    expect(timers.waits.length).toBeGreaterThan(0)
  })
})

describe('a source whose backend fails', () => {
  const failing = (server: Awaited<ReturnType<typeof synced>>['server']) => {
    server.failing.set('City', { code: 'backend_failed', message: 'The database is down.' })
  }

  test('is named in the summary and the failures, and does not fail the run', async () => {
    const { sdk, server, heard } = await synced()
    failing(server)
    server.write('Visit', { v: {} })
    const { sources } = await sdk.sync()
    expect(sources).toEqual([
      {
        source: 'City',
        received: 0,
        sent: 0,
        error: { code: 'backend_failed', message: 'The database is down.', ofBackend: true },
      },
      { source: 'Visit', received: 1, sent: 0 },
    ])
    expect(heard.filter(({ kind }) => kind === 'complete').at(-1)).toMatchObject({ failed: ['City'] })
  })

  test('backs off alone: others keep their interval and their hints', async () => {
    const { server, pulls, pass } = await synced({ eventStream: true })
    failing(server)
    for (let half = 0; half < 60; half++) {
      server.events.report('')
      await pass(30_000)
    }
    server.events.report('')
    await settled()
    const [city, visit] = [pulls('City'), pulls('Visit')]
    expect(visit).toBe(31)
    expect(city).toBeLessThan(28)
    for (const source of ['City', 'Visit']) {
      server.write(source, { one: {} })
      server.events.report('change', { source, ...server.head(source), within: 0 })
    }
    await settled()
    await pass(0)
    expect([pulls('City') - city, pulls('Visit') - visit]).toEqual([0, 1])
  })
})
