import { SyncError } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryStore, type Store } from '@godwit/store'
import { until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { type TestEngine, testClient, testEngine } from '../../testing/engine.fixture.js'
import { push } from './push.js'
import { giveUpExpired } from './recover.js'

const COLLECTION = { source: 'Visit', partition: 'user:ada' }
const KEYS = ['the key of number 1', 'the key of number 2']
/** Longer than any start is leased. */
const LEASE = 600_000

interface FullStore {
  readonly engine: TestEngine
  readonly store: Store
  readonly calls: string[]
  isFull: boolean
  /** Sends both changes. */
  readonly send: () => ReturnType<typeof push>
  readonly states: () => Promise<readonly (string | undefined)[]>
}

/** A store that is full from the backend's first call on, until the test makes room. */
async function fullStore({ idempotent = false, timeout = 30, answer = async () => {} } = {}): Promise<FullStore> {
  const clock = { now: 1_700_000_000_000 }
  const stored = openMemoryStore({ clock: () => clock.now })
  const asWritten =
    <Given extends unknown[], Answer>(write: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      if (world.isFull) throw new SyncError('store_unavailable', 'The store is full.')
      return write(...given)
    }
  const { settle, release, accept } = stored.journal
  const journal = {
    ...stored.journal,
    settle: asWritten(settle),
    release: asWritten(release),
    accept: asWritten(accept),
  }
  const store = { ...stored, journal }
  const calls: string[] = []
  const source = defineSource({
    name: 'Visit',
    pollInterval: -1,
    idempotent,
    timeout,
    create: async (_, { idempotencyKey }) => {
      calls.push(idempotencyKey)
      world.isFull = true
      await answer()
    },
  })
  const engine = await testEngine([source], { store })
  const pass = (milliseconds: number): void => {
    clock.now += milliseconds
    engine.pass(milliseconds)
  }
  const { epoch } = await stored.collections.open(COLLECTION)
  const mutations = KEYS.map((key, at) => ({
    ...{ number: at + 1, key, operation: 'create' as const, object: `${at + 1}` },
    attributes: { note: 'x' },
  }))
  const sent = { source: 'Visit', user: 'ada', client: testClient(), push: { epoch, acknowledged: 0, mutations } }
  const states = async () => (await stored.journal.entries(COLLECTION, KEYS)).map(({ state }) => state)
  const world = { engine: { ...engine, pass }, store, calls, isFull: false, send: () => push(engine, sent), states }
  return world
}

test.each([true, false])(
  'answers are stored once there is room, and asked for once (idempotent: %s)',
  async idempotent => {
    const world = await fullStore({ idempotent })
    await expect(world.send()).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await world.states()).toEqual(['started', 'started'])
    world.isFull = false
    // The sweep of this process runs first, and skips them.
    world.engine.pass(LEASE)
    await giveUpExpired(world.engine)
    expect(await world.states()).not.toContain('in_doubt')
    await until(async () => (await world.states()).every(state => state === 'decided'))
    expect((await world.send()).outcomes).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
    expect(world.calls.toSorted()).toEqual(KEYS)
  },
)

test('answers that came after their time-out are stored, too', async () => {
  const late = Promise.withResolvers<void>()
  const world = await fullStore({ timeout: 0.01, answer: () => late.promise })
  await expect(world.send()).rejects.toMatchObject({ code: 'store_unavailable' })
  late.resolve()
  await new Promise(resolve => setTimeout(resolve, 10))
  world.isFull = false
  await until(async () => (await world.states()).every(state => state === 'decided'))
  expect(world.calls.toSorted()).toEqual(KEYS)
})

test('answers decide a doubt that another process noted meanwhile', async () => {
  const world = await fullStore()
  await expect(world.send()).rejects.toMatchObject({ code: 'store_unavailable' })
  const source = world.engine.sources.get('Visit')
  const other = await testEngine([source], { store: world.store })
  world.engine.pass(LEASE)
  world.isFull = false
  await giveUpExpired(other)
  await until(async () => (await world.states()).every(state => state === 'decided'))
  expect((await world.send()).outcomes).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
})

test('answers that no store took end with their server, and leave doubts', async () => {
  const world = await fullStore()
  await expect(world.send()).rejects.toMatchObject({ code: 'store_unavailable' })
  world.engine.stop()
  // The last attempt, which does not fit.
  await new Promise(resolve => setTimeout(resolve, 10))
  world.isFull = false
  world.engine.pass(LEASE)
  const other = await testEngine([world.engine.sources.get('Visit')], { store: world.store })
  await giveUpExpired(other)
  expect(await world.states()).toEqual(['in_doubt', 'in_doubt'])
})
