import type { Mutation } from '@godwit/protocol'
import { openMemoryStore, type Settlement, type StartedMutation, type Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { describeOnRedis } from '../redis.fixture.js'
import type { RedisHandle } from '../redis-handle.js'
import { redisStore } from '../redis-store.js'
import { settleScript } from '../scripts/settle.js'
import { startScript } from '../scripts/start.js'

const collection = { source: 'Visit', partition: 'user:ada' }
const key = (number: number) => `key ${number}`
const LEASE = { milliseconds: 60_000, durable: true }

/** A create, possibly within an earlier one, or an update of one of a few objects; and its result. */
interface Plan {
  readonly owner: number
  readonly object: number
  readonly fate: 'created' | 'kept' | 'removed' | 'refused' | 'late'
}

const mutationOf = ({ owner, object }: Plan, index: number, plans: readonly Plan[]): Mutation => {
  const number = index + 1
  const within = owner % (2 * number)
  const isCreate = object >= 3
  const owners = within < index && (plans[within]?.object ?? 0) >= 3 ? [`t${within + 1}`] : undefined
  return {
    ...{ number, key: key(number), operation: isCreate ? 'create' : 'update' },
    object: isCreate ? `t${number}` : `object ${object}`,
    attributes: { number, of: owners?.[0] ?? null },
    ...(!isCreate && { was: { number: 0 }, seen: 1 }),
    ...(owners && { owners }),
  }
}

function settlementOf({ fate }: Plan, { entry, epoch, fence }: StartedMutation): Settlement {
  const { object, attributes = {}, number, operation } = entry.mutation
  if (fate === 'late') return { epoch, fence: fence + 1, status: 'applied' }
  if (fate === 'refused') return { epoch, fence, status: 'refused' }
  if (fate === 'removed') return { epoch, fence, status: 'applied', write: { object, remove: true } }
  const isLinked = fate === 'created' && operation === 'create'
  const real = isLinked ? `real ${number}` : object
  return { epoch, fence, status: 'applied', write: { object: real, set: attributes }, ...(isLinked && { link: real }) }
}

type Together = <T>(calls: readonly (() => Promise<T>)[]) => Promise<readonly T[]>

const inOneTurn: Together = calls => Promise.all(calls.map(call => call()))
const oneAfterTheOther: Together = async calls => {
  const answers = []
  for (const call of calls) answers.push(await call())
  return answers
}

/** Runs the plans and returns all that a store reports, without random values. */
async function history(store: Store, plans: readonly Plan[], together: Together): Promise<unknown> {
  const { collections, journal } = store
  const merge = Object.fromEntries([0, 1, 2].map(object => [`object ${object}`, { number: 0 }]))
  await collections.apply(collection, { merge })
  const { epoch } = await collections.open(collection)
  const push = { client: 'one', user: 'ada', epoch, acknowledged: 0, idempotent: true }
  await journal.accept(collection, { ...push, mutations: plans.map(mutationOf) })
  const told: unknown[] = []
  for (let round = 0; round < 3; round++) {
    const started = await together(plans.map((_, index) => () => journal.start(collection, key(index + 1), LEASE)))
    const running = started.flatMap((one, index) => ('fence' in one ? [{ one, plan: plans[index] as Plan }] : []))
    const settle = running.map(({ one, plan }) => {
      return () => journal.settle(collection, one.entry.mutation.key, settlementOf(plan, one))
    })
    const settled = await together(settle)
    told.push(started.map(one => ('fence' in one ? { before: one.before, entry: one.entry } : one)))
    // `left` of settlements in one batch counts what remains after all of them.
    told.push(settled.map(one => ({ ...one, left: undefined })))
  }
  const { version, count, checksum } = (await collections.head(collection)) ?? {}
  const { outcomes, last } = await journal.outcomes(collection, 'one', { after: 0, limit: 1000 })
  const { rows = [] } = (await collections.changes(collection, { limit: 1000 })) ?? {}
  return { told, version, count, checksum, outcomes, last, rows }
}

describeOnRedis('requests of one turn of the event loop', redis => {
  let calls = 0
  const counting = () => {
    const scripts = new Map<unknown, number>()
    const send: RedisHandle['send'] = (route, command) => {
      scripts.set(command[1], (scripts.get(command[1]) ?? 0) + 1)
      return redis.handle.send(route, command)
    }
    const store = redisStore({ ...redis.handle, send }, { prefix: `at once ${++calls}:` })
    return { store, of: ({ sha }: { readonly sha: string }) => scripts.get(sha) ?? 0 }
  }

  const plan = fc.record({
    owner: fc.nat(),
    object: fc.nat({ max: 9 }),
    fate: fc.constantFrom('created', 'created', 'kept', 'removed', 'refused', 'late') as fc.Arbitrary<Plan['fate']>,
  })

  test('have the answers of sequential requests', async () => {
    const check = async (plans: readonly Plan[]) => {
      const { store } = counting()
      const told = await history(store, plans, inOneTurn)
      expect(told).toEqual(await history(openMemoryStore(), plans, oneAfterTheOther))
      await store.clear()
    }
    await fc.assert(fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 70 }), check), { numRuns: 60 })
  }, 120_000)

  test('take two scripts for a hundred small ones', async () => {
    const { store, of } = counting()
    const plans = Array.from({ length: 100 }, (_, owner): Plan => ({ owner, object: 9, fate: 'created' }))
    await history(store, plans, inOneTurn)
    // They are already decided in the second and third rounds.
    expect([of(startScript), of(settleScript)]).toEqual([3 * 2, 2])
  })
})
