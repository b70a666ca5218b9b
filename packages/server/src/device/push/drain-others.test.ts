import type { Mutation } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { expect, test } from '@jest/globals'
import { testEngine } from '../../testing/engine.fixture.js'
import { drainCollection } from './drain-collection.js'

const collection = { source: 'Visit', partition: 'user:ada' }

const update = (number: number, note: string, owners?: readonly string[]): Mutation => ({
  ...{ number, key: `the key of ${note}`.padEnd(20, '.'), operation: 'update', object: '7', attributes: { note } },
  ...(owners && { owners }),
})

test('a mutation that waits for a doubt blocks later ones of its client, and no other client', async () => {
  const calls: string[] = []
  const source = defineSource<{ note: string }>({
    name: 'Visit',
    pollInterval: -1,
    update: async (_id, { note }) => void calls.push(note as string),
  })
  const engine = await testEngine([source])
  const { journal, collections } = engine.store
  const { epoch } = await collections.open(collection)
  const accept = (client: string, mutations: readonly Mutation[]) =>
    journal.accept(collection, { client, user: 'ada', epoch, acknowledged: 0, mutations, idempotent: false })
  const doubtful = { ...update(1, 'made'), operation: 'create', object: 't1', sent: true } as const
  await accept('phone', [doubtful, update(2, 'waits', ['t1']), update(3, 'behind')])
  await accept('tablet', [update(1, 'first'), update(2, 'second')])
  await drainCollection(engine, collection)
  expect(calls).toEqual(['first', 'second'])
  const queued = await journal.queued(collection, { limit: 9 })
  expect(queued.map(({ mutation }) => mutation.number)).toEqual([2, 3])
})
