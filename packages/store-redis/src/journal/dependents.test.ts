import type { Mutation } from '@godwit/protocol'
import { type Acceptance, type JournalEntry, openMemoryStore, type Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { connectRedisStore } from '../connect-redis-store.js'
import { describeOnRedis } from '../redis.fixture.js'
import type { RedisHandle } from '../redis-handle.js'
import { redisStore } from '../redis-store.js'
import { passOnScript } from '../scripts/settle.js'

const collection = { source: 'Visit', partition: 'user:ada' }
const key = (number: number) => `key ${number}`

/** A set of nested creates, applied alike on each store. */
interface Family {
  /** For each create but the first, the number of the create that it is within. */
  readonly within: readonly number[]
  readonly isApplied: boolean
}

function mutationsOf({ within }: Family): readonly Mutation[] {
  const create = (number: number, owner?: number): Mutation => ({
    ...{ number, key: key(number), operation: 'create', object: `t${number}` },
    attributes: { of: owner === undefined ? null : `t${owner}`, note: 'a "note"' },
    ...(owner !== undefined && { owners: [`t${owner}`] }),
  })
  return [create(1), ...within.map((owner, index) => create(index + 2, owner))]
}

async function accept(store: Store, mutations: readonly Mutation[], more: Partial<Acceptance> = {}) {
  const { epoch } = await store.collections.open(collection)
  const push = { client: 'one', user: 'ada', epoch, acknowledged: 0, idempotent: true, ...more }
  for (let from = 0; from < mutations.length; from += 500)
    await store.journal.accept(collection, { ...push, mutations: mutations.slice(from, from + 500) })
}

async function settleFirst(store: Store, { isApplied }: Family) {
  const started = await store.journal.start(collection, key(1), { milliseconds: 60_000, durable: true })
  if (!('fence' in started)) throw new Error('The first one starts.')
  const { epoch, fence } = started
  const result = isApplied ? { status: 'applied' as const, link: 'real 1' } : { status: 'refused' as const }
  return store.journal.settle(collection, key(1), { epoch, fence, ...result })
}

/** Returns all that a journal reports, without random values. */
async function toldBy(store: Store, count: number): Promise<unknown> {
  const keys = Array.from({ length: count }, (_, index) => key(index + 1))
  const entries: readonly JournalEntry[] = await store.journal.entries(collection, keys)
  const { outcomes, last } = await store.journal.outcomes(collection, 'one', { after: 0, limit: 10_000 })
  const queued = await store.journal.queued(collection, { limit: 10_000 })
  return { entries, outcomes, last, queued: queued.map(({ mutation }) => mutation.key) }
}

/** A connection whose process dies after this number of steps. */
function dyingAfter(handle: RedisHandle, steps: number): RedisHandle & { taken: number } {
  const dying = { ...handle, taken: 0 }
  const send: RedisHandle['send'] = (route, command) => {
    const isStep = command[1] === passOnScript.sha || command[1] === passOnScript.text
    if (isStep && dying.taken++ >= steps) throw new Error('died')
    return handle.send(route, command)
  }
  return Object.assign(dying, { send })
}

describeOnRedis('many dependents', redis => {
  let calls = 0
  const prefix = () => `test ${++calls}:`

  test.each([
    ['in a chain', (index: number) => index + 1],
    ['of one', () => 1],
  ])('5,000 %s are updated in steps of at most 75', async (_, within) => {
    const family = { within: Array.from({ length: 5000 }, (_, index) => within(index)), isApplied: false }
    const counting = dyingAfter(redis.handle, Number.POSITIVE_INFINITY)
    const store = redisStore(counting, { prefix: prefix() })
    await accept(store, mutationsOf(family))
    expect(await settleFirst(store, family)).toMatchObject({ refusedDependents: 5000 })
    // A step of 75 also counts the end of each list of dependents.
    expect(counting.taken).toBeGreaterThan(5000 / 75 - 1)
    expect(counting.taken).toBeLessThan((2 * 5000) / 75 + 2)
  })

  test('outcomes, acknowledgements and dropped clients take steps in proportion to their number', async () => {
    let scripts = 0
    const send: RedisHandle['send'] = (route, command) => {
      if (command[0] === 'EVALSHA') scripts++
      return redis.handle.send(route, command)
    }
    const counted = async (act: () => Promise<unknown>) => {
      const before = scripts
      await act()
      return scripts - before
    }
    const store = redisStore({ ...redis.handle, send }, { prefix: prefix() })
    const family = { within: Array.from({ length: 1499 }, () => 1), isApplied: false }
    await accept(store, mutationsOf(family))
    await settleFirst(store, family)
    const page = { after: 0, limit: 10_000 }
    expect(await counted(() => store.journal.outcomes(collection, 'one', page))).toBeGreaterThan(9)
    expect(await counted(() => store.journal.acknowledge(collection, 'one', 1500))).toBeGreaterThan(9)
    expect((await store.journal.outcomes(collection, 'one', page)).outcomes).toEqual([])
    expect(await counted(() => store.journal.dropClient(collection, 'one'))).toBeGreaterThan(9)
    expect(await store.journal.entries(collection, [key(1), key(1500)])).toEqual([])
  })

  const families = fc.record({
    within: fc
      .array(fc.nat(), { minLength: 160, maxLength: 240 })
      .map(list => list.map((owner, index) => 1 + (owner % (index + 1)))),
    isApplied: fc.boolean(),
    steps: fc.integer({ min: 0, max: 3 }),
    next: fc.constantFrom('start', 'accept', 'settle', 'release', 'retry', 'dropClient'),
  })

  test('are updated by the next process if one dies between two steps', async () => {
    const check = async ({ steps, next, ...family }: { steps: number; next: string } & Family) => {
      const options = { prefix: prefix() }
      const store = await connectRedisStore(redis.url, options)
      const reference = openMemoryStore()
      const mutations = mutationsOf(family)
      for (const one of [store, reference]) await accept(one, mutations)
      await settleFirst(reference, family)
      await settleFirst(redisStore(dyingAfter(redis.handle, steps), options), family).catch(() => undefined)
      await anything(store, next)
      const [told, expected] = [await toldBy(store, mutations.length), await toldBy(reference, mutations.length)]
      expect(told).toEqual(expected)
      await store.clear()
      await store.close()
    }
    await fc.assert(fc.asyncProperty(families, check), { numRuns: 40 })
  }, 120_000)

  test('do not start before they are updated', async () => {
    const options = { prefix: prefix() }
    const family = { within: Array.from({ length: 300 }, () => 1), isApplied: true }
    const store = redisStore(redis.handle, options)
    await accept(store, mutationsOf(family))
    await expect(settleFirst(redisStore(dyingAfter(redis.handle, 0), options), family)).rejects.toThrow('died')
    const [untold] = await store.journal.entries(collection, [key(301)])
    expect(untold?.mutation).toMatchObject({ owners: ['t1'], attributes: { of: 't1' } })
    const started = await store.journal.start(collection, key(301), { milliseconds: 1000, durable: true })
    expect(started).toMatchObject({ entry: { mutation: { attributes: { of: 'real 1' } } } })
  })

  test('of a partly accepted push are accepted by its repeat, and a refused push leaves nothing', async () => {
    const store = redisStore(redis.handle, { prefix: prefix() })
    const mutations = mutationsOf({ within: Array.from({ length: 249 }, () => 1), isApplied: true })
    const gap = [...mutations.slice(0, 249), { ...(mutations[249] as Mutation), number: 251 }]
    const { epoch } = await store.collections.open(collection)
    const push = { client: 'one', user: 'ada', epoch, acknowledged: 0, idempotent: true }
    expect(await store.journal.accept(collection, { ...push, mutations: gap })).toEqual({
      refused: 'gap',
      expected: 250,
    })
    expect(await store.journal.queued(collection, { limit: 9 })).toEqual([])
    let taken = 0
    const send: RedisHandle['send'] = (route, command) => {
      if (`${command[0]}` === 'EVALSHA' && ++taken > 3) throw new Error('died')
      return redis.handle.send(route, command)
    }
    const dying = redisStore({ ...redis.handle, send }, { prefix: `test ${calls}:` })
    await expect(dying.journal.accept(collection, { ...push, mutations })).rejects.toThrow('died')
    const before = (await store.journal.queued(collection, { limit: 1000 })).length
    expect([before > 0, before < 250]).toEqual([true, true])
    const answer = await store.journal.accept(collection, { ...push, mutations })
    const entries = 'entries' in answer ? answer.entries : []
    expect(entries.map(({ sequence }) => sequence)).toEqual(mutations.map(({ number }) => number))
  })
})

/** A call that has no effect. */
async function anything({ collections, journal }: Store, what: string): Promise<unknown> {
  const { epoch } = await collections.open(collection)
  if (what === 'start') return journal.start(collection, 'unknown', { milliseconds: 1, durable: true })
  if (what === 'settle') return journal.settle(collection, 'unknown', { epoch, status: 'applied' })
  if (what === 'release') return journal.release(collection, 'unknown', { fence: 1, to: 'queued' })
  if (what === 'retry') return journal.retry(collection, 'unknown')
  if (what === 'dropClient') return journal.dropClient(collection, 'unknown')
  const push = { client: 'other', user: 'ada', epoch, acknowledged: 0, mutations: [], idempotent: true }
  return journal.accept(collection, push)
}
