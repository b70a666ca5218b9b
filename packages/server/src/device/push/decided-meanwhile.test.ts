import type { Mutation, Outcome } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { type Journal, openMemoryStore } from '@godwit/store'
import { describe, expect, test } from '@jest/globals'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { drainCollection } from './drain-collection.js'
import { push } from './push.js'

const COLLECTION = { source: 'Note', partition: 'user:ada' }
const READS: readonly (keyof Journal)[] = ['outcomes', 'flush', 'entries']

const create = (number: number): Mutation => ({
  ...{ number, key: `the key of number ${number}`, operation: 'create', object: `t${number}` },
  attributes: { note: 'a' },
})

/** A source with a queue, and a worker that decides everything just before the journal is read for the nth time. */
async function world(definition: { create: () => Promise<undefined> }) {
  let before = async (): Promise<void> => {}
  const store = openMemoryStore()
  const journal = new Proxy(store.journal, {
    get(target, name: keyof Journal) {
      const method = target[name] as (...given: readonly unknown[]) => unknown
      if (!READS.includes(name)) return method
      return async (...given: readonly unknown[]) => {
        await before()
        return method.apply(target, [...given])
      }
    },
  })
  const source = defineSource<object>({ name: 'Note', pollInterval: -1, cudQueue: 'writes', ...definition })
  const engine = await testEngine([source], { store: { ...store, journal } })
  const { epoch } = await store.collections.open(COLLECTION)
  const send = async (mutations: readonly Mutation[], { decideAtRead }: { readonly decideAtRead?: number } = {}) => {
    let reads = 0
    before = async () => {
      if (reads++ !== decideAtRead) return
      before = async () => {}
      await drainCollection(engine, COLLECTION)
    }
    const body = { epoch, acknowledged: 0, mutations }
    const { outcomes } = await push(engine, { source: 'Note', user: 'ada', client: testClient('one'), push: body })
    before = async () => {}
    return outcomes.map(({ number, outcome, status }: Outcome) => [number, outcome, status])
  }
  return { send }
}

const READ_NUMBERS = [0, 1, 2, 3, 4]

describe('the answer to a push whose mutations a worker decides while it is read', () => {
  test.each(READ_NUMBERS)('has each mutation, as queued or with its outcome (before read %p)', async decideAtRead => {
    const { send } = await world({ create: async () => undefined })
    const answer = await send([create(1), create(2)], { decideAtRead })
    expect([
      [
        [1, undefined, 'queued'],
        [2, undefined, 'queued'],
      ],
      [
        [1, 1, 'applied'],
        [2, 2, 'applied'],
      ],
    ]).toContainEqual(answer)
  })

  test.each(READ_NUMBERS)('leaves out no outcome of an earlier request (before read %p)', async decideAtRead => {
    const { send } = await world({ create: async () => undefined })
    expect(await send([create(1)])).toEqual([[1, undefined, 'queued']])
    const answer = await send([create(2)], { decideAtRead })
    const decided = [
      [1, 1, 'applied'],
      [2, 2, 'applied'],
    ]
    expect([[[2, undefined, 'queued']], decided]).toContainEqual(answer)
  })

  test.each(READ_NUMBERS)('says of each whether it is in doubt (before read %p)', async decideAtRead => {
    const { send } = await world({ create: () => Promise.reject(new Error('socket hang up')) })
    const answer = await send([create(1)], { decideAtRead })
    expect([[[1, undefined, 'queued']], [[1, undefined, 'in_doubt']], [[1, 1, 'in_doubt']]]).toContainEqual(answer)
  })
})

test('a push with more pending outcomes than fit says queued of the mutations behind them', async () => {
  const { send } = await world({ create: async () => undefined })
  const all = Array.from({ length: 1200 }, (_, index) => create(index + 1))
  for (const from of [0, 400, 800]) await send(all.slice(from, from + 400))
  const answer = await send(all.slice(900, 1100), { decideAtRead: 0 })
  expect(answer.slice(0, 1000).map(([, outcome]) => outcome)).toEqual(all.slice(0, 1000).map(({ number }) => number))
  expect(answer.slice(1000)).toEqual(all.slice(1000, 1100).map(({ number }) => [number, undefined, 'queued']))
})
