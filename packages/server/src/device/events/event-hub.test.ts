import { defineSource, type Source } from '@godwit/source'
import type { Events } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { issueCredential } from '../../accounts/access/credentials.js'
import { deleteClient } from '../../accounts/users/clients.js'
import { findUser, userValue } from '../../accounts/users/user-record.js'
import { announceEnd } from '../../backend/sources/channels.js'
import { testEngine } from '../../testing/engine.fixture.js'
import { EventHub } from './event-hub.js'

async function openHub(eventSpread = 5, sources: readonly Source[] = []) {
  const engine = await testEngine(sources, { limits: { eventHeartbeat: 3600, eventSpread, streamsPerClient: 1000 } })
  const { registry } = engine.store
  const user = { userId: 'u', role: 'device', passwordHash: undefined, attributes: {}, createdAt: '' } as const
  await registry.create('user', { id: 'ada', value: userValue(user) })
  await registry.create('client', { id: 'c', owner: 'ada', value: {} })
  const known = await findUser(registry, 'ada')
  if (!known) throw new Error('the user was made')
  await issueCredential(engine, known, { purpose: 'session' })
  const [session] = await registry.list('credential', { owner: 'ada', limit: 1 })
  const hub = new EventHub(engine)
  const stream = hub.open({ login: 'ada', credential: session?.id ?? '', client: 'c' })
  return { engine, hub, stream }
}

const CHECK = { done: false, value: 'event: check\ndata: {"heads":{},"within":1}\n\n' }
const DONE = { done: true, value: undefined }

test('a stream without a reader is not open, and one that its reader leaves is closed', async () => {
  const { hub, stream } = await openHub()
  expect(hub.size).toBe(0)
  expect(await stream.next()).toEqual(CHECK)
  expect(hub.size).toBe(1)
  const waiting = stream.next()
  await stream.return()
  expect([await waiting, hub.size]).toEqual([DONE, 0])
})

test('a reader that is slower than two heartbeats is disconnected', async () => {
  const { hub, stream } = await openHub()
  await stream.next()
  stream.beat()
  expect(await stream.next()).toEqual({ done: false, value: ':\n\n' })
  stream.beat()
  expect(stream.cut.aborted).toBe(false)
  stream.beat()
  expect([stream.cut.aborted, hub.size, await stream.next()]).toEqual([true, 0, DONE])
})

test('a bounded number of pings waits for a slow reader', async () => {
  const { hub, stream } = await openHub()
  await stream.next()
  for (let n = 0; n < 16; n++) expect(hub.ping('ada', 'c', { message: String(n) })).toBe(true)
  expect(stream.cut.aborted).toBe(false)
  hub.ping('ada', 'c', { message: 'one too many' })
  expect(stream.cut.aborted).toBe(true)
  expect(hub.ping('ada', 'c', {})).toBe(false)
})

test('an expired session, a barred user and a deleted client receive no more events', async () => {
  const ways: ((hub: Awaited<ReturnType<typeof openHub>>) => unknown)[] = [
    ({ engine }) => engine.pass(31 * 24 * 3_600_000),
    ({ engine }) => engine.store.registry.merge('user', 'ada', { barred: true }),
    ({ engine }) => engine.store.registry.delete('client', 'c'),
  ]
  for (const way of ways) {
    const opened = await openHub()
    await opened.stream.next()
    await way(opened)
    opened.hub.ping('ada', 'c', { message: 'secret' })
    expect(await opened.stream.next()).toEqual(DONE)
  }
})

test('every device is told to check when events may have been missed', async () => {
  const { engine, hub, stream } = await openHub()
  let miss: (() => void) | undefined
  const subscribe: Events['subscribe'] = async (_channel, _listener, missed) => {
    miss = missed
    return async () => undefined
  }
  Object.assign(engine.store, { events: { ...engine.store.events, subscribe } })
  await stream.next()
  const other = hub.open({ ...stream.listener })
  await other.next()
  miss?.()
  const both = { done: false, value: CHECK.value.replace(':1', ':2') }
  expect(await Promise.all([stream.next(), other.next()])).toEqual([both, both])
})

test('a change for all users checks a bounded number of streams at once, and notifies every one', async () => {
  const { engine, hub, stream } = await openHub()
  const streams = Array.from({ length: 300 }, () => hub.open({ ...stream.listener }))
  await Promise.all(streams.map(one => one.next()))
  const { registry } = engine.store
  let looking = 0
  let most = 0
  const get: typeof registry.get = async (kind, id) => {
    if (kind !== 'client') return registry.get(kind, id)
    most = Math.max(most, ++looking)
    await new Promise(resolve => setImmediate(resolve))
    looking--
    return registry.get(kind, id)
  }
  Object.assign(engine.store, { registry: { ...registry, get } })
  for (const one of streams) one.ping({ message: 'hello' })
  const heard = await Promise.all(streams.map(one => one.next()))
  expect(new Set(heard.map(({ value }) => value))).toEqual(new Set(['event: ping\ndata: {"message":"hello"}\n\n']))
  expect(most).toBe(64)
})

/** Counts the records that the store reads from now on. */
function countReads(engine: Awaited<ReturnType<typeof testEngine>>): { reads: number } {
  const { registry } = engine.store
  const counted = { reads: 0 }
  const get: typeof registry.get = (kind, id) => {
    counted.reads++
    return registry.get(kind, id)
  }
  Object.assign(engine.store, { registry: { ...registry, get } })
  return counted
}

const BEAT = { done: false, value: ':\n\n' }

test('heartbeats read nothing while a check of rights is recent, and then once', async () => {
  const { engine, stream } = await openHub()
  await stream.next()
  const counted = countReads(engine)
  const beat = async () => {
    stream.beat()
    return stream.next()
  }
  for (let n = 0; n < 11; n++) expect(await beat()).toEqual(BEAT)
  engine.pass(299_000)
  expect([await beat(), counted.reads]).toEqual([BEAT, 0])
  engine.pass(1_000)
  expect([await beat(), counted.reads]).toEqual([BEAT, 3])
  expect([await beat(), counted.reads]).toEqual([BEAT, 3])
  await engine.store.registry.delete('client', 'c')
  engine.pass(300_000)
  expect([await beat(), counted.reads]).toEqual([DONE, 6])
})

test('a stream checks its rights again after the clock was set back', async () => {
  const { engine, stream } = await openHub()
  await stream.next()
  const counted = countReads(engine)
  engine.pass(-24 * 3_600_000)
  stream.beat()
  expect([await stream.next(), counted.reads]).toEqual([BEAT, 3])
  stream.beat()
  expect([await stream.next(), counted.reads]).toEqual([BEAT, 3])
})

test('a heartbeat tells over how many milliseconds devices spread, where those are far from what was told', async () => {
  const { hub, stream } = await openHub(10_000)
  await stream.next()
  const beat = async (within: number) => {
    stream.beat(within)
    return (await stream.next()).value
  }
  const spread = (within: number): string => `event: spread\ndata: {"within":${within}}\n\n${BEAT.value}`
  expect(await beat(99)).toBe(BEAT.value)
  expect(await beat(100)).toBe(spread(100))
  expect(await beat(199)).toBe(BEAT.value)
  expect(await beat(200)).toBe(spread(200))
  expect(await beat(101)).toBe(BEAT.value)
  expect(await beat(1)).toBe(spread(1))
  stream.beat(1000)
  stream.close()
  expect([await stream.next(), hub.size]).toEqual([DONE, 0])
})

test('the end of a session is noticed at the next heartbeat, however recent the last check', async () => {
  const { engine, stream } = await openHub()
  await stream.next()
  engine.pass(30 * 24 * 3_600_000 - 1000)
  stream.beat()
  expect(await stream.next()).toEqual(BEAT)
  engine.pass(1000)
  stream.beat()
  expect(await stream.next()).toEqual(DONE)
})

test('an idle stream ends as soon as its client is deleted, or at the next heartbeat', async () => {
  const { engine, stream } = await openHub()
  await stream.next()
  const { registry } = engine.store
  const failing: { left: number; looked?: () => void } = { left: 1 }
  const looked = new Promise<void>(resolve => {
    failing.looked = resolve
  })
  const get: typeof registry.get = async (kind, id) => {
    if (kind !== 'client' || failing.left-- <= 0) return registry.get(kind, id)
    failing.looked?.()
    throw new Error('the store is away')
  }
  Object.assign(engine.store, { registry: { ...registry, get } })
  await registry.delete('client', 'c')
  await announceEnd(engine.store, 'ada')
  await looked
  stream.beat()
  expect(await stream.next()).toEqual(DONE)
  const other = await openHub()
  await other.stream.next()
  const ended = other.stream.next()
  await deleteClient(other.engine, 'ada', 'c')
  expect(await ended).toEqual(DONE)
})

test('a failing store ends the stream, which leaves the hub', async () => {
  const { engine, hub, stream } = await openHub()
  await stream.next()
  await engine.store.close()
  hub.ping('ada', 'c', { message: 'hello' })
  await expect(stream.next()).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(hub.size).toBe(0)
})

test('a closed hub accepts no stream, and its streams end with the time over which their devices spread', async () => {
  const { hub, stream } = await openHub()
  const others = Array.from({ length: 3 }, () => hub.open({ ...stream.listener }))
  const all = [stream, ...others]
  for (const one of all) await one.next()
  const [waiting, late] = [stream.next(), others[0] ?? stream]
  late.ping({ message: 'hello' })
  const taking = late.next()
  await hub.close()
  const spread = 'event: spread\ndata: {"within":4}\n\n'
  expect(await waiting).toEqual({ done: false, value: spread })
  expect(await taking).toEqual({ done: false, value: `event: ping\ndata: {"message":"hello"}\n\n${spread}` })
  for (const one of others.slice(1)) expect(await one.next()).toEqual({ done: false, value: spread })
  for (const one of all) expect(await one.next()).toEqual(DONE)
  expect(() => hub.open({ login: 'ada', credential: '', client: 'c' })).toThrow('stopping')
})

test('a logout ends a thousand streams with a few reads, and leaves those of another session', async () => {
  const { engine, hub, stream } = await openHub()
  const { registry } = engine.store
  const user = await findUser(registry, 'ada')
  if (!user) throw new Error('the user was made')
  await issueCredential(engine, user, { purpose: 'session' })
  const other = (await registry.list('credential', { owner: 'ada', limit: 2 })).find(
    ({ id }) => id !== stream.listener.credential,
  )
  const streams = Array.from({ length: 990 }, () => hub.open({ ...stream.listener }))
  const stays = hub.open({ ...stream.listener, credential: other?.id ?? '' })
  await Promise.all([...streams, stays].map(one => one.next()))
  const ended = streams.map(one => one.next())
  let reads = 0
  const get = registry.get
  registry.get = (kind, id) => {
    reads++
    return get(kind, id)
  }
  await registry.delete('credential', stream.listener.credential)
  await announceEnd(engine.store, 'ada')
  expect(new Set((await Promise.all(ended)).map(({ done }) => done))).toEqual(new Set([true]))
  expect([hub.size, reads]).toEqual([1, 4])
})

test('a reader that does not read is disconnected once its session is over', async () => {
  const { engine, stream } = await openHub()
  await stream.next()
  await engine.store.registry.delete('credential', stream.listener.credential)
  const cut = new Promise(resolve => stream.cut.addEventListener('abort', resolve))
  await announceEnd(engine.store, 'ada')
  await cut
})

test('devices of a source are told to pull it though its collections did not change', async () => {
  const { hub, stream } = await openHub(5, [defineSource({ name: 'Order' })])
  await stream.next()
  hub.refresh('unknown')
  hub.refresh('Order')
  expect((await stream.next()).value).toBe('event: change\ndata: {"source":"Order","within":1}\n\n')
  await stream.return()
})
