import { type ClientInfo, type JobInfo, type PingResult, type PushMessage, SyncError } from '@godwit/protocol'
import type { PushProvider, PushVerdict } from '@godwit/source'
import { openMemoryJobs, openMemoryStore } from '@godwit/store'
import { until } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { json, openServer, type TestServer } from '../../testing/open-server.js'

interface Sent {
  readonly pin: string
  readonly message: PushMessage
}

/** A provider that records its messages, and answers what the pin says, or else the verdicts in order. */
function recording(verdicts: PushVerdict[] = []) {
  const sent: Sent[] = []
  const provider: PushProvider = {
    async send(message, { pin, isDryRun }) {
      if (!isDryRun) sent.push({ pin, message })
      if (pin === 'broken') throw new SyncError('backend_failed', 'the provider is down')
      return pin === 'gone' ? 'gone' : (verdicts.shift() ?? 'sent')
    },
  }
  return { sent, provider }
}

const register = async (on: TestServer, login: string, registration: object) => {
  const made = await on.device(login)
  await on.call('POST', `/rc/v1/clients/${made.client}/register`, { headers: made.headers, body: registration })
  return made
}
const android = (pin: string) => ({ device_type: 'android', device_pin: pin })

const ping = async (on: TestServer, body: object, headers?: Record<string, string>): Promise<PingResult> =>
  json(await on.call('POST', '/rc/v1/users/ping', { headers: headers ?? (await on.as()), body }))

const clientOf = async (on: TestServer, client: string): Promise<ClientInfo> =>
  json(await on.call('GET', `/rc/v1/clients/${client}`, { headers: await on.as() }))

const pushMetrics = async (on: TestServer): Promise<readonly string[]> => {
  const text = await (await on.call('GET', '/metrics')).text()
  return text.split('\n').filter(line => line.startsWith('godwit_push_messages_total{'))
}

describe('a message to a device without a stream', () => {
  test('goes once within a second, however often it is sent', async () => {
    let now = Date.now()
    const { sent, provider } = recording()
    const on = openServer({ pushProviders: { fcm: provider }, clock: () => now })
    await register(on, 'ada', android('a'))
    const news = { user_id: 'ada', message: 'News' }
    const headers = await on.as()
    const results = await Promise.all(Array.from({ length: 10 }, () => ping(on, news, headers)))
    expect(results.reduce((sum, one) => sum + one.sent, 0)).toBe(1)
    expect(new Set(results.flatMap(({ skipped }) => skipped.map(({ reason }) => reason)))).toEqual(
      new Set(['repeated']),
    )
    await ping(on, { user_id: 'ada', message: 'Other news' })
    now += 5000
    await ping(on, news)
    expect(sent.map(({ message }) => message.message)).toEqual(['News', 'Other news', 'News'])
    await on.server.close()
  })

  test('is silent three times, then shows itself once, then waits until there is room', async () => {
    let now = Date.now()
    const { sent, provider } = recording()
    const on = openServer({ pushProviders: { fcm: provider }, clock: () => now, pushFallback: 'Something is new.' })
    await register(on, 'ada', android('a'))
    const outcomes: string[] = []
    for (let n = 0; n < 6; n++) {
      now += 5000
      const { sent: count, skipped } = await ping(on, { user_id: 'ada', sources: 'City' })
      outcomes.push(count === 1 ? 'sent' : (skipped[0]?.reason ?? ''))
    }
    expect(outcomes).toEqual(['sent', 'sent', 'sent', 'sent', 'throttled', 'throttled'])
    expect(sent.map(({ message }) => message.message)).toEqual([undefined, undefined, undefined, 'Something is new.'])
    now += 21 * 60_000
    await ping(on, { user_id: 'ada', sources: 'City' })
    expect(sent.at(-1)?.message).toEqual({ do_sync: ['City'] })
    expect(await pushMetrics(on)).toEqual([
      'godwit_push_messages_total{provider="fcm",result="sent"} 5',
      'godwit_push_messages_total{provider="fcm",result="throttled"} 2',
    ])
    await on.server.close()
  })

  test('to a browser has no such limit, since browsers show each', async () => {
    let now = Date.now()
    const { sent, provider } = recording()
    const webpush = { ...provider, publicKey: 'key' }
    const on = openServer({ pushProviders: { webpush }, clock: () => now })
    const { headers } = await register(on, 'ada', { device_push_type: 'webpush', device_pin: 'a' })
    for (let n = 0; n < 6; n++) {
      now += 5000
      await ping(on, { user_id: 'ada', sources: 'City' })
    }
    expect(sent.map(({ message }) => message)).toEqual(Array(6).fill({ do_sync: ['City'] }))
    expect(await json(await on.call('GET', '/rc/v1/app/push', { headers }))).toEqual({ public_key: 'key' })
    await on.server.close()
  })
})

test('the key is null on a server that sends no messages to browsers', async () => {
  const on = openServer({})
  const { headers } = await on.device('ada')
  expect(await json(await on.call('GET', '/rc/v1/app/push', { headers }))).toEqual({ public_key: null })
  await on.server.close()
})

test('a provider that asks to wait is asked again by a job, after the time that it named', async () => {
  let now = Date.now()
  const { sent, provider } = recording([{ retryAfter: 30 }, { retryAfter: 5 }])
  const jobs = openMemoryJobs({ clock: () => now })
  const on = openServer({ pushProviders: { fcm: provider }, jobs, clock: () => now })
  await register(on, 'ada', android('a'))
  const list = async (): Promise<readonly JobInfo[]> =>
    json(await on.call('GET', '/rc/v1/system/jobs', { headers: await on.as() }))
  expect(await ping(on, { user_id: 'ada', message: 'News' })).toEqual({ sent: 0, skipped: [], failed: [], deferred: 1 })
  expect(await list()).toMatchObject([{ queue: 'ping', kind: 'push', state: 'waiting' }])
  expect((await jobs.list({ limit: 9 }))[0]?.dueAt).toBe(now + 30_000)
  now += 30_000
  await jobs.enqueue({ queue: 'ping', id: 'wake', kind: 'notify', data: { source: 'none', partition: '*' } })
  await until(async () => (await jobs.list({ limit: 9 })).some(({ dueAt }) => dueAt === now + 5000))
  now += 5000
  await jobs.enqueue({ queue: 'ping', id: 'wake', kind: 'notify', data: { source: 'none', partition: '*' } })
  await until(() => sent.length === 3)
  await until(async () => (await list()).length === 0)
  expect(await pushMetrics(on)).toEqual([
    'godwit_push_messages_total{provider="fcm",result="deferred"} 2',
    'godwit_push_messages_total{provider="fcm",result="sent"} 1',
  ])
  await on.server.close()
})

test('what became of messages is counted for each device, and a sync after them counts once', async () => {
  let now = Date.now()
  const { provider } = recording()
  const on = openServer({ pushProviders: { fcm: provider }, clock: () => now })
  const well = await register(on, 'ada', android('a'))
  const gone = await register(on, 'ada', android('gone'))
  const broken = await register(on, 'ada', android('broken'))
  for (const message of ['one', 'two']) await ping(on, { user_id: 'ada', message })
  const countsOf = async ({ client }: { readonly client: string }) => (await clientOf(on, client)).push
  expect(await countsOf(well)).toEqual({ sent: 2, refused: 0, gone: 0, opened: 0 })
  expect(await countsOf(gone)).toEqual({ sent: 0, refused: 0, gone: 1, opened: 0 })
  expect(await countsOf(broken)).toEqual({ sent: 0, refused: 2, gone: 0, opened: 0 })
  for (let n = 0; n < 3; n++) {
    await on.call('GET', '/app/v1/City', { headers: well.headers })
    await until(async () => (await countsOf(well))?.opened === 1)
  }
  now += 5000
  await ping(on, { user_id: 'ada', message: 'three' })
  await on.call('GET', '/app/v1/City', { headers: well.headers })
  await until(async () => (await countsOf(well))?.opened === 2)
  await on.server.close()
})

test('messages at the same time are all counted', async () => {
  const { provider } = recording()
  const on = openServer({ pushProviders: { fcm: provider } })
  const { client } = await register(on, 'ada', android('a'))
  const headers = await on.as()
  const send = (n: number) => ping(on, { user_id: 'ada', message: `news ${n}` }, headers)
  await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
  expect((await clientOf(on, client)).push?.sent).toBe(20)
  await on.server.close()
})

test('a dry run sends, counts and clears nothing', async () => {
  const { sent, provider } = recording()
  const on = openServer({ pushProviders: { fcm: provider } })
  const { client } = await register(on, 'ada', android('gone'))
  await register(on, 'ada', android('a'))
  const result = await ping(on, { user_id: 'ada', message: 'News', dry_run: true })
  expect(result).toEqual({ sent: 1, skipped: [], failed: [{ client, reason: 'gone' }] })
  expect(sent).toEqual([])
  expect(await clientOf(on, client)).toMatchObject({ device_pin: 'gone', push: { sent: 0, gone: 0 } })
  expect(await pushMetrics(on)).toEqual([])
  await on.server.close()
})

describe('several processes of one store', () => {
  async function begin() {
    const store = openMemoryStore()
    const { sent, provider } = recording()
    const open = () => openServer({ store, pushProviders: { fcm: provider } })
    const servers = [open(), open(), open()] as const
    const [first] = servers
    const made = await register(first, 'ada', android('a'))
    // Each starts with its first request.
    for (const one of servers) await one.call('GET', '/readyz')
    const listen = async (on: TestServer) => {
      const answer = await on.call('GET', '/rc/v1/app/events', { headers: made.headers })
      const events = (answer.body as ReadableStream<Uint8Array>).getReader()
      const read = async () => new TextDecoder().decode((await events.read()).value)
      expect(await read()).toMatch(/^event: check\n/)
      return read
    }
    const close = () => Promise.all(servers.map(({ server }) => server.close()))
    return { servers, sent, listen, close, ...made }
  }

  test('a ping reaches a device by the process that has its stream, once', async () => {
    const { servers, sent, listen, close } = await begin()
    const read = await listen(servers[2])
    expect(await ping(servers[0], { user_id: 'ada', message: 'News' })).toEqual({ sent: 1, skipped: [], failed: [] })
    expect(await read()).toBe('event: ping\ndata: {"do_sync":[],"message":"News"}\n\n')
    expect(sent).toEqual([])
    await close()
  })

  test('a device that listens to none receives a push message, once', async () => {
    const { servers, sent, close } = await begin()
    const headers = await servers[0].as()
    await Promise.all(servers.map(on => ping(on, { user_id: 'ada', message: 'News' }, headers)))
    expect(sent.map(({ pin }) => pin)).toEqual(['a'])
    await close()
  })

  test('a process that ended is not waited for', async () => {
    const { servers, sent, listen, close } = await begin()
    await listen(servers[2])
    await servers[2].server.close()
    expect(await ping(servers[0], { user_id: 'ada', message: 'News' })).toMatchObject({ sent: 1 })
    expect(sent).toHaveLength(1)
    await close()
  })
})
