import { defineSource, type SourceDefinition } from '@godwit/source'
import { type CollectionId, openMemoryStore } from '@godwit/store'
import { describe, expect, test } from '@jest/globals'
import { testEngine } from '../../testing/engine.fixture.js'
import { DueQueries } from './due-queries.js'

const NOW = 1_700_000_000_000
const soon = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5))

interface Server {
  readonly listening: Set<string>
  /** Lets the process hear of a change. */
  hear(collection: CollectionId): void
  readonly due: DueQueries
}

/** Processes over one store with a clock of the test's, a source that records its queries, and the users who listen to each process. */
async function world(definition: Partial<SourceDefinition<object>> = {}, { processes = 1, random = 0 } = {}) {
  let now = NOW
  const store = openMemoryStore({ clock: () => now })
  const queries: string[] = []
  const query: SourceDefinition<object>['query'] = ({ user }) => {
    queries.push(user)
    return {}
  }
  const source = defineSource<object>({ name: 'Thing', pollInterval: 100, query, ...definition })
  const open = async (at: number): Promise<Server> => {
    const listening = new Set<string>()
    let hear: Server['hear'] = () => {}
    const onChange = (listener: Server['hear']): void => {
      hear = listener
    }
    const hub = {
      logins: () => listening,
      isListening: (login: string) => listening.has(login),
      onChange,
      refresh: () => {},
    }
    const engine = { ...(await testEngine([source], { store: { ...store } })), holder: `process ${at}`, hub }
    return {
      listening,
      hear: collection => hear(collection),
      due: new DueQueries(engine, { random: () => random, now: () => now }),
    }
  }
  const servers = await Promise.all(Array.from({ length: processes }, (_, at) => open(at)))
  const [{ listening, hear, due } = await open(0)] = servers
  return {
    servers,
    listening,
    hear,
    due,
    store,
    queries,
    /** Passes seconds, with a turn of each process in each. */
    async pass(seconds: number): Promise<void> {
      for (let second = 0; second < seconds; second++) {
        now += 1000
        for (const server of servers) server.due.turn()
        await soon()
      }
    },
    /** Opens collections whose next query is due in the given seconds. */
    async open(seconds: number, ...partitions: readonly string[]): Promise<void> {
      for (const partition of partitions) {
        await store.collections.open({ source: 'Thing', partition })
        await store.collections.requestQuery({ source: 'Thing', partition }, now + seconds * 1000)
      }
    },
  }
}

describe('the server runs due queries', () => {
  test('of partitions of listening users, once an interval', async () => {
    const { listening, open, pass, queries } = await world()
    await open(50, 'user:ada', 'user:grace')
    listening.add('ada')
    await pass(49)
    expect(queries).toEqual([])
    await pass(2)
    expect(queries).toEqual(['ada'])
    await pass(97)
    expect(queries).toEqual(['ada'])
    await pass(103)
    expect(queries).toEqual(['ada', 'ada', 'ada'])
  })

  test('not after the last user of a partition stopped listening, and again when one returns', async () => {
    const { listening, due, open, pass, queries } = await world()
    await open(10, 'user:ada')
    listening.add('ada')
    await pass(1)
    listening.delete('ada')
    await pass(70)
    expect([queries, due.size]).toEqual([[], 0])
    listening.add('ada')
    await pass(2)
    expect(queries).toEqual(['ada'])
  })

  test('of a shared partition for one of the users who listen', async () => {
    const { listening, open, pass, queries } = await world({ partition: 'app' })
    await open(10, '*')
    for (const user of ['ada', 'grace']) listening.add(user)
    await pass(2)
    listening.delete('ada')
    await pass(10)
    expect(queries).toEqual(['grace'])
  })

  test('in one of two processes to which users of a partition listen', async () => {
    let running = 0
    const starts: number[] = []
    const { servers, open, pass } = await world(
      {
        partition: 'app',
        async query() {
          starts.push(++running)
          await soon()
          running--
          return {}
        },
      },
      { processes: 2 },
    )
    await open(10, '*')
    for (const [at, { listening }] of servers.entries()) listening.add(at === 0 ? 'ada' : 'grace')
    await pass(230)
    expect(starts).toEqual([1, 1, 1])
  })

  test('of a collection that is opened later, once its first query has ended', async () => {
    const { listening, hear, due, open, pass, queries } = await world()
    listening.add('ada')
    due.start()
    await pass(1)
    await open(5, 'user:ada')
    hear({ source: 'Thing', partition: 'user:ada' })
    await pass(7)
    expect(queries).toEqual(['ada'])
    await due.stop()
  })

  test.each([-1, 0])('not with the poll interval %i', async pollInterval => {
    const { listening, open, pass, queries } = await world({ pollInterval })
    await open(5, 'user:ada')
    listening.add('ada')
    await pass(200)
    expect(queries).toEqual([])
  })

  test('within an interval where a partition was due before somebody listened', async () => {
    const { listening, open, pass, queries } = await world({}, { random: 0.5 })
    await open(-1000, 'user:ada')
    listening.add('ada')
    await pass(48)
    expect(queries).toEqual([])
    await pass(3)
    expect(queries).toEqual(['ada'])
  })

  test('of a source at most pollConcurrency at once, and of other sources meanwhile', async () => {
    let running = 0
    let most = 0
    const { listening, open, pass, queries } = await world({
      async query({ user }) {
        most = Math.max(most, ++running)
        await new Promise(resolve => setTimeout(resolve, 30))
        running--
        queries.push(user)
        return {}
      },
      partitionName: user => `of ${user}`,
    })
    const users = Array.from({ length: 40 }, (_, at) => `user ${at}`)
    await open(5, ...users.map(user => `name:of ${user}`))
    for (const user of users) listening.add(user)
    await pass(60)
    expect(queries.length).toBe(40)
    expect(most).toBe(8)
  })

  test('that fail once an interval, and those that are requested again and again as well', async () => {
    let calls = 0
    const { listening, open, pass, store } = await world({
      query() {
        calls++
        void store.collections.requestQuery({ source: 'Thing', partition: 'user:ada' })
        throw new Error('away')
      },
    })
    await open(5, 'user:ada')
    listening.add('ada')
    await pass(300)
    expect(calls).toBeGreaterThanOrEqual(3)
    expect(calls).toBeLessThanOrEqual(6)
  })
})
