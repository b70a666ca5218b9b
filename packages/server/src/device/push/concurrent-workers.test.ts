import type { Mutation } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { drainCollection } from './drain-collection.js'
import { push } from './push.js'

interface WantedPush {
  readonly client: number
  readonly object: number
  readonly operation: 'create' | 'update' | 'delete'
  /** The duration of its call, in turns of the event loop. */
  readonly turns: number
  /** The number of its calls that fail without an answer; the backend is idempotent. */
  readonly failures: number
}

const wanted = fc.record({
  client: fc.integer({ min: 1, max: 3 }),
  object: fc.integer({ min: 1, max: 3 }),
  operation: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
  turns: fc.integer({ min: 0, max: 4 }),
  failures: fc.constantFrom(0, 0, 0, 1),
})

const COLLECTION = { source: 'Note', partition: '*' }
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** What a backend recorded: overlapping calls for one object, and the numbers per client and object in order of their first call. */
class Backend {
  readonly #busy = new Set<string>()
  readonly #failures = new Map<string, number>()
  readonly overlaps: string[] = []
  readonly order = new Map<string, number[]>()
  readonly done: string[] = []
  readonly #plans: ReadonlyMap<string, WantedPush & { readonly number: number }>

  constructor(plans: ReadonlyMap<string, WantedPush & { readonly number: number }>) {
    this.#plans = plans
  }

  readonly call = async (object: string, key: string): Promise<void> => {
    const plan = this.#plans.get(key)
    if (!plan) throw new Error(`nobody sent ${key}`)
    if (this.#busy.has(object)) this.overlaps.push(object)
    this.#busy.add(object)
    for (let left = plan.turns; left > 0; left--) await turn()
    this.#busy.delete(object)
    const failed = this.#failures.get(key) ?? 0
    this.#failures.set(key, failed + 1)
    if (failed < plan.failures) throw new Error('no answer')
    const name = `${plan.client} ${object}`
    this.order.set(name, [...(this.order.get(name) ?? []), plan.number])
    this.done.push(key)
  }
}

test('concurrent workers call a source once at a time per object, in the order of each client', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wanted, { minLength: 1, maxLength: 24 }),
      fc.integer({ min: 2, max: 4 }),
      async (all, workers) => {
        const numbers = new Map<number, number>()
        const plans = new Map(
          all.map((plan, index) => {
            const number = (numbers.get(plan.client) ?? 0) + 1
            numbers.set(plan.client, number)
            return [`key-of-mutation-${index}`, { ...plan, number }] as const
          }),
        )
        const backend = new Backend(plans)
        const source = defineSource<object>({
          name: 'Note',
          partition: 'app',
          pollInterval: -1,
          cudQueue: 'writes',
          idempotent: true,
          create: (attributes, { idempotencyKey }) =>
            backend.call((attributes as { object: string }).object, idempotencyKey),
          update: async (id, _, { idempotencyKey }) => backend.call(id, idempotencyKey),
          delete: (id, { idempotencyKey }) => backend.call(id, idempotencyKey),
        })
        const store = openMemoryStore({ clock: () => now })
        let now = 1_700_000_000_000
        const engines = await Promise.all(Array.from({ length: workers }, () => testEngine([source], { store })))
        const { epoch } = await store.collections.open(COLLECTION)
        let isSent = false
        // No groups here: what a queue's engine does beside it is not needed for the law.
        const working = engines.map(async engine => {
          while (!isSent || (await store.journal.undecided({ state: 'queued', limit: 1 })).length > 0) {
            await drainCollection(engine, COLLECTION)
            now += 1000
            engine.pass(1000)
            await turn()
          }
        })
        for (const [key, plan] of plans) {
          const client = testClient(`client ${plan.client}`)
          const body = { epoch, acknowledged: 0, mutations: [mutationOf(key, plan)] }
          const { outcomes } = await push(engines[0] as never, { source: 'Note', user: 'ada', client, push: body })
          expect(outcomes.filter(({ status }) => !['queued', 'applied', 'gone', 'conflict'].includes(status))).toEqual(
            [],
          )
          if (plan.turns % 2) await turn()
        }
        isSent = true
        await Promise.all(working)
        expect(backend.overlaps).toEqual([])
        for (const order of backend.order.values()) expect(order).toEqual([...order].sort((a, b) => a - b))
        expect(new Set(backend.done).size).toBe(backend.done.length)
      },
    ),
    { numRuns: 100 },
  )
})

function mutationOf(key: string, { number, object: at, operation }: WantedPush & { number: number }): Mutation {
  const object = `object ${at}`
  const common = { number, key, object, operation }
  if (operation === 'create') return { ...common, attributes: { object, number } }
  if (operation === 'update') return { ...common, attributes: { number } }
  return common
}
