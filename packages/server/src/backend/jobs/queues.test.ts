import type { Attributes, Mutation, Page, PushOutcomes } from '@godwit/protocol'
import { defineSource, failure, type SourceDefinition } from '@godwit/source'
import { openMemoryJobs, openMemoryStore } from '@godwit/store'
import { until, verifies } from '@godwit/testing'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import type { SyncServerOptions } from '../../start/options.js'
import { json, openServer } from '../../testing/open-server.js'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Definition = Partial<SourceDefinition<Attributes>>

/** Two processes over one store and its jobs. The first runs no jobs unless `concurrency` is set; the second has to be started. */
function world(definition: Definition, { concurrency = 0, ...options }: { concurrency?: number } & Options = {}) {
  const store = openMemoryStore()
  const jobs = openMemoryJobs()
  const sources = [defineSource<Attributes>({ name: 'Note', pollInterval: -1, ...definition })]
  const start = (jobConcurrency: number) => {
    const limits = { jobConcurrency, sweepInterval: 0.02, stopWait: 1, ...options.limits }
    const server = openServer({ store, jobs, sources, resetAllowed: true, ...options, limits })
    closers.push(() => server.server.close())
    return server
  }
  const server = start(concurrency)
  return { ...server, jobs, startWorker: () => void start(8).ask('/healthz') }
}

type Options = Partial<SyncServerOptions>
type World = ReturnType<typeof world>

/** A device that pulls and pushes. */
async function deviceOf(server: World, login = 'ada') {
  const { headers } = await server.device(login)
  let token = ''
  const pull = async (parameters = ''): Promise<Page> => {
    const path = `/app/v1/Note?${token && `token=${encodeURIComponent(token)}`}${parameters}`
    const page = await json<Page>(await server.call('GET', path, { headers }))
    token = page.token
    return page
  }
  const push = async (mutations: readonly Mutation[]): Promise<PushOutcomes> => {
    const { epoch } = await pull()
    const body = { epoch, acknowledged: 0, mutations }
    return json(await server.call('POST', '/app/v1/Note', { headers, body }))
  }
  return { pull, push }
}

const create = (number: number): Mutation => ({
  number,
  key: `key-of-mutation-${number}`,
  operation: 'create',
  object: `t${number}`,
  attributes: { number },
})

const statuses = (pushed: PushOutcomes) => pushed.outcomes.map(({ status }) => status)
const waiting = async ({ jobs }: World) => (await jobs.list({ limit: 9 })).map(({ queue, kind }) => `${queue}: ${kind}`)

describe('a queue for writes', () => {
  test('a push answers queued, workers call the source, and a pull brings the outcomes', async () => {
    verifies('rest.sources.queue.cud', 'rest.sources.queue.cud-asynchronous')

    const called: unknown[] = []
    const server = world({
      cudQueue: 'writes',
      create: attributes => {
        called.push(attributes['number'])
        return `real-${attributes['number']}`
      },
    })
    const device = await deviceOf(server)
    expect(statuses(await device.push([create(1), create(2)]))).toEqual(['queued', 'queued'])
    expect([called, await waiting(server)]).toEqual([[], ['writes: drain']])
    expect(statuses(await device.push([create(1), create(2)]))).toEqual(['queued', 'queued'])
    server.startWorker()
    await until(() => called.length === 2)
    await until(async () => (await waiting(server)).length === 0)
    const page = await device.pull()
    expect(page.outcomes?.map(({ number, status, link }) => [number, status, link])).toEqual([
      [1, 'applied', 'real-1'],
      [2, 'applied', 'real-2'],
    ])
    expect(Object.keys(page.insert ?? {}).sort()).toEqual(['real-1', 'real-2'])
    expect(called).toEqual([1, 2])
  })

  test('a lost job is enqueued again by the sweep', async () => {
    const made = jest.fn(() => undefined)
    const server = world({ cudQueue: 'writes', create: made })
    const device = await deviceOf(server)
    await device.push([create(1)])
    await server.jobs.clear()
    await until(async () => (await waiting(server)).length === 1)
    server.startWorker()
    await until(() => made.mock.calls.length === 1)
  })

  test('a pass_through source runs its writes within the push, without a worker', async () => {
    const made = jest.fn((_: Attributes) => undefined)
    const server = world({ queue: 'all', passThrough: true, create: made })
    const device = await deviceOf(server)
    expect(statuses(await device.push([create(1)]))).toEqual(['applied'])
    expect(made.mock.calls[0]?.[0]).toEqual({ number: 1 })
    expect(await waiting(server)).toEqual([])
  })

  test('a server that stops aborts the running call and begins no other; the next one continues', async () => {
    const called: unknown[] = []
    let release = (): void => undefined
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const server = world(
      {
        cudQueue: 'writes',
        create: async attributes => {
          called.push(attributes['number'])
          await held
        },
      },
      { concurrency: 1, limits: { drainConcurrency: 1 } },
    )
    const device = await deviceOf(server)
    await device.push([create(1), create(2)])
    await until(() => called.length === 1)
    const closing = server.server.close()
    release()
    await closing
    expect(called).toEqual([1])
    server.startWorker()
    await until(() => called.length === 2)
  })
})

describe('a queue for queries', () => {
  test('the very first pull waits for the query, later ones do not', async () => {
    verifies('rest.sources.queue.query', 'rest.sources.queue.query-asynchronous')

    let rounds = 0
    const server = world({ queryQueue: 'reads', pollInterval: 0, query: () => ({ a: { round: ++rounds } }) })
    const device = await deviceOf(server)
    let isAnswered = false
    const first = device.pull().then(page => {
      isAnswered = true
      return page
    })
    await until(async () => (await waiting(server)).length === 1)
    expect([isAnswered, rounds, await waiting(server)]).toEqual([false, 0, ['reads: query']])
    server.startWorker()
    expect((await first).insert).toEqual({ a: { round: 1 } })
    const second = await device.pull()
    expect(second.insert).toBeUndefined()
    await until(() => rounds === 2)
    await until(async () => (await waiting(server)).length === 0)
    expect((await device.pull()).insert).toEqual({ a: { round: 2 } })
  })

  test('all pulls that wait for the first query share it', async () => {
    const query = jest.fn(() => ({ a: {} }))
    const server = world({ queryQueue: 'reads', pollInterval: 300, query, partition: 'app' }, { concurrency: 2 })
    const devices = await Promise.all(['ada', 'grace'].map(login => deviceOf(server, login)))
    const pages = await Promise.all(devices.map(device => device.pull()))
    expect(pages.map(({ insert }) => insert)).toEqual([{ a: {} }, { a: {} }])
    expect(query).toHaveBeenCalledTimes(1)
  })

  test('a failure of the first query is reported by the pull that waited', async () => {
    const query = () => {
      throw failure('the backend is closed')
    }
    const server = world({ queryQueue: 'reads', pollInterval: 300, query }, { concurrency: 1 })
    const device = await deviceOf(server)
    expect((await device.pull()).source_error?.message).toBe('the backend is closed')
  })

  test('parameters of a sync reach the query of the worker', async () => {
    const seen: unknown[] = []
    const query: Definition['query'] = ({ parameters, user }) => {
      seen.push({ user, ...parameters })
      return {}
    }
    const server = world({ queryQueue: 'reads', pollInterval: 300, query }, { concurrency: 1 })
    const device = await deviceOf(server)
    await device.pull()
    await device.pull('&until=today')
    await until(() => seen.length === 2)
    expect(seen).toEqual([{ user: 'ada' }, { user: 'ada', until: 'today' }])
  })

  test('a recreated collection has a first pull, which ignores the query of the former one', async () => {
    const answers: (() => void)[] = []
    const query = () =>
      new Promise<{ a: { round: number } }>(resolve => {
        const a = { round: answers.length + 1 }
        answers.push(() => resolve({ a }))
      })
    const server = world({ queryQueue: 'reads', pollInterval: 300, queryTimeout: 5, query }, { concurrency: 2 })
    const [before, after] = [await deviceOf(server), await deviceOf(server)]
    const waits = before.pull()
    await until(() => answers.length === 1)
    await server.store.collections.drop({ source: 'Note', partition: 'user:ada' })
    const begins = after.pull()
    await until(async () => (await server.store.collections.collections({ limit: 1 })).length === 1)
    answers[0]?.()
    await until(() => answers.length === 2)
    answers[1]?.()
    expect((await begins).insert).toEqual({ a: { round: 2 } })
    expect((await waits).insert).toEqual({ a: { round: 2 } })
  })

  test('a collection that was dropped meanwhile is not restored', async () => {
    const query = jest.fn(() => ({ a: {} }))
    const server = world({ queryQueue: 'reads', pollInterval: 0, query })
    const device = await deviceOf(server)
    const pulling = device.pull().catch(() => undefined)
    await until(async () => (await waiting(server)).length === 1)
    const collection = { source: 'Note', partition: 'user:ada' }
    await server.store.collections.drop(collection)
    server.startWorker()
    await until(async () => (await waiting(server)).length === 0)
    expect(query).not.toHaveBeenCalled()
    await pulling
  })
})

test('the option queue sets both queues unless a specific one is given', async () => {
  verifies('rest.sources.queue.both')

  const asked = async (queues: Definition): Promise<readonly string[]> => {
    const server = world({ ...queues, pollInterval: 0, query: () => ({}), create: () => undefined })
    const device = await deviceOf(server)
    // Marked as queried, so that pulls no longer wait.
    const collection = { source: 'Note', partition: 'user:ada' }
    const { epoch } = await server.store.collections.open(collection)
    const name = { kind: 'query', collection } as const
    const lease = await server.store.leases.acquire(name, { holder: 'test', milliseconds: 60_000 })
    const options = { epoch, fence: lease?.fence ?? 0, since: 0, queriesRequested: 0, maxRemovedShare: 1 }
    await server.store.collections.replace(collection, (async function* () {})(), options)
    await device.push([create(1)])
    return waiting(server)
  }
  expect(await asked({ queue: 'all' })).toEqual(['all: drain', 'all: query'])
  expect(await asked({ queue: 'all', queryQueue: 'reads' })).toEqual(['all: drain', 'reads: query'])
  expect(await asked({ queue: 'all', cudQueue: 'writes' })).toEqual(['all: query', 'writes: drain'])
  expect(await asked({ queryQueue: 'reads', cudQueue: 'writes' })).toEqual(['reads: query', 'writes: drain'])
  expect(await asked({ queryQueue: 'reads' })).toEqual(['reads: query'])
})
