import type { JobInfo, PingResult, PushMessage } from '@godwit/protocol'
import { defineSource, type PushProvider, type PushTarget } from '@godwit/source'
import { openMemoryJobs, openMemoryStore } from '@godwit/store'
import { until, verifies } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { failure, json, openServer, type TestServer } from '../../testing/open-server.js'

interface RecordedPing {
  readonly message: PushMessage
  readonly pin: string
}

/** A provider that records what it sends; pins may be `gone` or `broken`. */
function recording(): PushProvider & { readonly heard: RecordedPing[] } {
  const heard: RecordedPing[] = []
  return {
    heard,
    async send(message: PushMessage, { pin }: PushTarget) {
      heard.push({ message, pin })
      if (pin === 'broken') throw new Error('the provider is down')
      if (pin === 'never') await new Promise(() => {})
      return pin === 'gone' ? 'gone' : 'sent'
    },
  }
}

function open() {
  const providers = { apns: recording(), fcm: recording(), webpush: recording() }
  const on = openServer({ pushProviders: providers, limits: { pushTimeout: 0.05, eventGather: 1 } })
  return { on, ...providers }
}

const device = async (on: TestServer, login: string, registration: object) => {
  const made = await on.device(login)
  await on.call('POST', `/rc/v1/clients/${made.client}/register`, { headers: made.headers, body: registration })
  return made
}

const send = async (on: TestServer, body: object, headers?: Record<string, string>): Promise<Response> =>
  on.call('POST', '/rc/v1/users/ping', { headers: headers ?? (await on.as()), body })

const ping = async (on: TestServer, body: object): Promise<PingResult> => {
  const answer = await send(on, body)
  expect(answer.status).toBe(200)
  return json(answer)
}

test('every field reaches every device of the named users, and no other device', async () => {
  verifies(
    'rest.ping.all-devices',
    'rest.ping.user-id',
    'rest.ping.api-token',
    'rest.ping.sources.many',
    'rest.ping.message',
    'rest.ping.badge',
    'rest.ping.sound',
    'rest.ping.vibrate',
  )

  const { on, fcm } = open()
  for (const pin of ['a1', 'a2']) await device(on, 'ada', { device_type: 'android', device_pin: pin })
  await device(on, 'grace', { device_type: 'android', device_pin: 'g' })
  await device(on, 'joan', { device_type: 'android', device_pin: 'j' })
  const fields = { message: 'News', badge: 3, sound: 'bell.wav', vibrate: 2 }
  const body = { user_id: ['ada', 'grace'], sources: ['City', 'Visit'], api_token: 'ignored', objects: { a: {} } }
  expect(await ping(on, { ...body, ...fields })).toEqual({ sent: 3, skipped: [], failed: [] })
  expect(fcm.heard.map(({ pin }) => pin).sort()).toEqual(['a1', 'a2', 'g'])
  for (const { message } of fcm.heard) expect(message).toEqual({ do_sync: ['City', 'Visit'], ...fields })
})

test('a ping of named clients reaches these alone, also by a job', async () => {
  const { on, fcm } = open()
  const phones = []
  for (const pin of ['a1', 'a2', 'a3'])
    phones.push(await device(on, 'ada', { device_type: 'android', device_pin: pin }))
  const other = await device(on, 'grace', { device_type: 'android', device_pin: 'g' })
  const [first, second] = phones.map(({ client }) => client)
  expect(await ping(on, { user_id: 'ada', clients: second })).toEqual({ sent: 1, skipped: [], failed: [] })
  expect(fcm.heard.splice(0).map(({ pin }) => pin)).toEqual(['a2'])
  expect(await ping(on, { user_id: 'ada', clients: [first, other.client] })).toEqual({
    sent: 1,
    skipped: [{ client: other.client, reason: 'client_not_found' }],
    failed: [],
  })
  expect(fcm.heard.splice(0).map(({ pin }) => pin)).toEqual(['a1'])
  expect((await send(on, { user_id: 'ada', clients: second, message: 'News', async: true })).status).toBe(200)
  await until(() => fcm.heard.length > 0)
  expect(fcm.heard.map(({ pin }) => pin)).toEqual(['a2'])
})

test('one user, one source and a badge of text are accepted', async () => {
  verifies('rest.ping.sources.one')

  const { on, fcm } = open()
  await device(on, 'ada', { device_type: 'android', device_pin: 'a' })
  expect(await ping(on, { user_id: 'ada', sources: 'City', badge: '+1' })).toMatchObject({ sent: 1 })
  expect(fcm.heard[0]?.message).toEqual({ do_sync: ['City'], badge: '+1' })
})

test('an unknown source is refused, and no device is pinged', async () => {
  const { on, fcm } = open()
  await device(on, 'ada', { device_type: 'android', device_pin: 'a' })
  const answer = await send(on, { user_id: 'ada', sources: ['City', 'Nowhere'] })
  expect(await failure(answer)).toBe('422 value_not_allowed')
  expect(fcm.heard).toEqual([])
})

test.each([
  [{ device_type: 'apple' }, 'apns'],
  [{ device_type: 'iPhone' }, 'apns'],
  [{ device_push_type: 'apns', device_type: 'android' }, 'apns'],
  [{ device_type: 'android' }, 'fcm'],
  [{ device_type: 'gcm' }, 'fcm'],
  [{ device_push_type: 'fcm', device_type: 'apple' }, 'fcm'],
  [{ device_push_type: 'webpush' }, 'webpush'],
] as const)('%j is reached by %s', async (registration, name) => {
  verifies('rest.clients.attributes-serve-push')

  const { on, ...providers } = open()
  await device(on, 'ada', { ...registration, device_pin: 'a' })
  await ping(on, { user_id: 'ada' })
  const reached = Object.entries(providers).filter(([, { heard }]) => heard.length > 0)
  expect(reached.map(([provider, { heard }]) => [provider, heard.map(({ pin }) => pin)])).toEqual([[name, ['a']]])
})

test('unreachable devices are listed with a reason, with 200', async () => {
  const { on } = open()
  const { client: bare } = await on.device('ada')
  const { client: pinless } = await device(on, 'ada', { device_type: 'apple' })
  const { client: strange } = await device(on, 'ada', { device_type: 'fridge', device_pin: 'f' })
  const { client: broken } = await device(on, 'ada', { device_type: 'apple', device_pin: 'broken' })
  const { client: never } = await device(on, 'ada', { device_type: 'apple', device_pin: 'never' })
  const { sent, skipped, failed } = await ping(on, { user_id: ['ada', 'nobody', 'admin'] })
  expect(sent).toBe(0)
  expect(new Set(skipped)).toEqual(
    new Set([
      { user: 'nobody', reason: 'user_not_found' },
      { user: 'admin', reason: 'no_device' },
      { client: bare, reason: 'no_push_type' },
      { client: pinless, reason: 'no_pin' },
      { client: strange, reason: 'no_provider' },
    ]),
  )
  const reasons = [
    { client: broken, reason: 'the provider is down' },
    { client: never, reason: 'timeout' },
  ]
  expect(new Set(failed)).toEqual(new Set(reasons))
})

test('an invalid pin is cleared', async () => {
  const { on, apns } = open()
  const { client } = await device(on, 'ada', { device_type: 'apple', device_pin: 'gone' })
  expect((await ping(on, { user_id: 'ada' })).failed).toEqual([{ client, reason: 'gone' }])
  expect((await ping(on, { user_id: 'ada' })).skipped).toEqual([{ client, reason: 'no_pin' }])
  expect(apns.heard).toHaveLength(1)
})

test('a device with several clients gets one message', async () => {
  const { on, apns } = open()
  await device(on, 'ada', { device_type: 'apple', device_pin: 'same' })
  await device(on, 'ada', { device_type: 'apple', device_pin: 'same' })
  await device(on, 'ada', { device_type: 'apple', device_pin: 'one', phone_id: 'phone' })
  await device(on, 'grace', { device_type: 'apple', device_pin: 'two', phone_id: 'phone' })
  const { sent, skipped } = await ping(on, { user_id: ['ada', 'grace'] })
  expect([sent, skipped.map(({ reason }) => reason)]).toEqual([2, ['same_device', 'same_device']])
  expect(apns.heard).toHaveLength(2)
})

test('a device with an open event stream receives the ping there', async () => {
  const { on, apns } = open()
  const { headers } = await device(on, 'ada', { device_type: 'apple', device_pin: 'a' })
  const answer = await on.call('GET', '/rc/v1/app/events', { headers })
  const events = (answer.body as ReadableStream<Uint8Array>).getReader()
  const read = async () => new TextDecoder().decode((await events.read()).value)
  expect(await read()).toMatch(/^event: check\n/)
  expect(await ping(on, { user_id: 'ada', sources: 'City', message: 'News', badge: 1 })).toMatchObject({ sent: 1 })
  expect(await read()).toBe('event: ping\ndata: {"do_sync":["City"],"message":"News","badge":1}\n\n')
  expect(apns.heard).toEqual([])
  await on.server.close()
})

test.each(['operator', 'plugin'])('%s may ping', async role => {
  const { on } = open()
  const body = { attributes: { login: role, password: 'secret' }, role }
  await on.call('POST', '/rc/v1/users', { headers: await on.as(), body })
  expect((await send(on, { user_id: 'ada' }, await on.as(role, 'secret'))).status).toBe(200)
})

const jobsOf = async (on: TestServer): Promise<readonly JobInfo[]> =>
  json(await on.call('GET', '/rc/v1/system/jobs', { headers: await on.as() }))

test('an asynchronous ping returns its job, and is validated at once', async () => {
  const fcm = recording()
  const store = openMemoryStore()
  const jobs = openMemoryJobs()
  const idle = openServer({ store, jobs, pushProviders: { fcm }, limits: { jobConcurrency: 0 } })
  await device(idle, 'ada', { device_type: 'android', device_pin: 'a' })
  const body = { user_id: 'ada', sources: 'City', message: 'News', async: true }
  expect(await failure(await send(idle, { ...body, sources: 'Nowhere' }))).toBe('422 value_not_allowed')
  const answer = await json<{ job: string }>(await send(idle, body))
  expect(await jobsOf(idle)).toMatchObject([{ id: answer.job, kind: 'ping', queue: 'ping', state: 'waiting' }])
  expect(fcm.heard).toEqual([])
  const working = openServer({ store, jobs, pushProviders: { fcm } })
  await until(async () => (await jobsOf(working)).length === 0)
  expect(fcm.heard).toEqual([{ pin: 'a', message: { do_sync: ['City'], message: 'News' } }])
  await Promise.all([idle.server.close(), working.server.close()])
})

describe('a source with pushNotify', () => {
  const City = defineSource<object>({ name: 'City', partition: 'app', pollInterval: -1, pushNotify: true })
  const Visit = defineSource<object>({ name: 'Visit', pollInterval: -1, pushNotify: true })
  const Team = defineSource<object>({
    name: 'Team',
    pollInterval: -1,
    pushNotify: true,
    partitionName: user => (user === 'joan' ? 'blue' : 'red'),
  })
  const Quiet = defineSource<object>({ name: 'Quiet', partition: 'app', pollInterval: -1 })

  const begin = async () => {
    const fcm = recording()
    const sources = [City, Visit, Team, Quiet]
    // Devices have room for a few silent messages an hour.
    let ahead = 0
    const clock = (): number => Date.now() + ahead
    const on = openServer({ sources, pushProviders: { fcm }, limits: { eventGather: 5 }, clock })
    for (const login of ['ada', 'grace', 'joan']) await device(on, login, { device_type: 'android', device_pin: login })
    const headers = await on.as()
    const write = async (source: string, operation: string, body: object): Promise<readonly string[]> => {
      fcm.heard.length = 0
      ahead += 3600_000
      const answer = await on.call('POST', `/app/v1/${source}/${operation}`, { headers, body })
      expect(answer.status).toBe(200)
      await until(async () => (await jobsOf(on)).length === 0)
      for (const { message } of fcm.heard) expect(message).toEqual({ do_sync: [source] })
      return fcm.heard.map(({ pin }) => pin).sort()
    }
    return { on, write }
  }

  test('pings when one of the five operations changes it, and not when nothing changes', async () => {
    const { on, write } = await begin()
    const everybody = ['ada', 'grace', 'joan']
    const shared = { user_id: '*' }
    expect(await write('City', 'push_objects', { ...shared, objects: { a: { n: 1 } } })).toEqual(everybody)
    expect(await write('City', 'push_objects', { ...shared, objects: { a: { n: 1 } } })).toEqual([])
    expect(await write('City', 'fast_insert', { ...shared, data: { b: { n: 1 } } })).toEqual(everybody)
    const update = { delete_data: { b: { n: 1 } }, data: { b: { n: 2 } } }
    expect(await write('City', 'fast_update', { ...shared, ...update })).toEqual(everybody)
    expect(await write('City', 'fast_delete', { ...shared, data: { b: { n: 2 } } })).toEqual(everybody)
    expect(await write('City', 'push_deletes', { ...shared, objects: ['a'] })).toEqual(everybody)
    expect(await write('Quiet', 'push_objects', { ...shared, objects: { a: { n: 1 } } })).toEqual([])
    await on.server.close()
  })

  test('pings only the users who see the partition', async () => {
    const { on, write } = await begin()
    expect(await write('Visit', 'push_objects', { user_id: 'grace', objects: { a: { n: 1 } } })).toEqual(['grace'])
    expect(await write('Team', 'push_objects', { user_id: 'ada', objects: { a: { n: 1 } } })).toEqual(['ada', 'grace'])
    await on.server.close()
  })
})
