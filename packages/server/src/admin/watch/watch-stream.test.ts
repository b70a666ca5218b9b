import type { ServerEvent } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import type { ReportedEvent } from '../../base/reporter.js'
import { testEngine } from '../../testing/engine.fixture.js'
import { MAX_STREAMS, RecentEvents, WatchHub } from './watch-hub.js'
import { MAX_BUFFER, type Watcher, type WatchHost, WatchStream } from './watch-stream.js'

const watcher: Watcher = {
  login: 'admin',
  credential: 'c',
  kinds: undefined,
  source: undefined,
  user: undefined,
  after: undefined,
}
const happening = (n: number, text = ''): ReportedEvent => ({
  kind: 'client_created',
  id: `p-${n}`,
  time: 't',
  user: text,
  client: 'c',
})

function open(host: Partial<WatchHost> = {}) {
  const left: WatchStream[] = []
  const stream = new WatchStream(
    { join: async () => {}, leave: one => left.push(one), mayWatch: async () => true, now: () => 'now', ...host },
    watcher,
  )
  return { stream, left }
}

const eventsOf = (text: string | undefined): ServerEvent[] =>
  [...(text ?? '').matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))

test('a reader who falls behind is disconnected with a last event, and its queue is freed', async () => {
  const { stream, left } = open()
  const long = 'x'.repeat(10_000)
  for (let n = 0; n * long.length < MAX_BUFFER * 2; n++) stream.send(happening(n, long))
  expect(left).toEqual([stream])
  expect(eventsOf((await stream.next()).value)).toEqual([{ kind: 'stream_ended', reason: 'slow', time: 'now' }])
  expect((await stream.next()).done).toBe(true)
})

test('a reader who reads no heartbeats is disconnected', () => {
  const { stream, left } = open()
  stream.beat()
  expect([stream.cut.aborted, left]).toEqual([false, []])
  stream.beat()
  expect([stream.cut.aborted, left]).toEqual([true, [stream]])
})

test('queued events are sent in parts, in order, each once', async () => {
  const { stream } = open()
  for (let n = 0; n < 100; n++) stream.send(happening(n, 'x'.repeat(5000)))
  const told: ServerEvent[] = []
  let parts = 0
  for (; told.length < 100; parts++) told.push(...eventsOf((await stream.next()).value))
  expect(told.map(event => ('id' in event ? event.id : ''))).toEqual(Array.from({ length: 100 }, (_, n) => `p-${n}`))
  expect(parts).toBeGreaterThan(5)
})

test('a stream beyond the limit of a user ends the oldest', async () => {
  const hub = new WatchHub(await testEngine([]))
  const streams = Array.from({ length: MAX_STREAMS + 1 }, () => hub.open(watcher))
  for (const stream of streams) await stream.next()
  expect(hub.size).toBe(MAX_STREAMS)
  expect(eventsOf((await streams[0]?.next())?.value)).toMatchObject([{ kind: 'stream_ended', reason: 'replaced' }])
  await hub.close()
  expect(hub.size).toBe(0)
  expect(() => hub.open(watcher)).toThrow('stopping')
})

test('missed events are reported, and no reader resumes over the gap', async () => {
  const engine = await testEngine([])
  let miss = (): void => {}
  let hear: (batch: never) => void = () => {}
  const subscribe: typeof engine.store.events.subscribe = async (_channel, listener, missed) => {
    hear = listener as never
    miss = missed ?? miss
    return async () => {}
  }
  Object.assign(engine.store, { events: { ...engine.store.events, subscribe } })
  const hub = new WatchHub(engine)
  const stream = hub.open(watcher)
  await stream.next()
  hear({ events: [happening(1)], missed: false } as never)
  expect(eventsOf((await stream.next()).value)).toEqual([happening(1)])
  miss()
  expect(eventsOf((await stream.next()).value)).toMatchObject([{ kind: 'events_missed' }])
  const again = hub.open({ ...watcher, after: 'p-1' })
  expect(eventsOf((await again.next()).value)).toMatchObject([{ kind: 'stream_started', resumed: false }])
  await hub.close()
})

test('a stream whose reader leaves is removed from the hub', async () => {
  const hub = new WatchHub(await testEngine([]))
  const stream = hub.open(watcher)
  await stream.next()
  const waiting = stream.next()
  await stream.return()
  expect([await waiting, hub.size]).toEqual([{ done: true, value: undefined }, 0])
  await hub.close()
})

test('a bounded number of the last events is kept', () => {
  const recent = new RecentEvents(10)
  for (let n = 1; n <= 1000; n++) recent.add(happening(n))
  expect(recent.after('p-995')?.map(({ id }) => id)).toEqual(['p-996', 'p-997', 'p-998', 'p-999', 'p-1000'])
  expect(recent.after('p-1000')).toEqual([])
  expect(recent.after('p-100')).toBeUndefined()
})
