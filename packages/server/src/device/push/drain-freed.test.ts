import type { Mutation } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { push } from './push.js'

const update = (key: string, note: string): Mutation => ({
  number: 1,
  key: key.padStart(20, '0'),
  operation: 'update',
  object: '7',
  attributes: { note },
})

test('a mutation runs as soon as the blocking one of another client is settled', async () => {
  const calls: string[] = []
  const open: (() => void)[] = []
  const source = defineSource<{ note: string }>({
    name: 'Visit',
    pollInterval: -1,
    timeout: 60,
    update: async (_id, { note }) => {
      calls.push(note as string)
      if (calls.length === 1) await new Promise<void>(resolve => open.push(resolve))
    },
  })
  const engine = await testEngine([source], { limits: { pushWait: 0.05 } })
  const { epoch } = await engine.store.collections.open({ source: 'Visit', partition: 'user:ada' })
  const send = (client: string, mutation: Mutation) =>
    push(engine, {
      source: 'Visit',
      user: 'ada',
      client: testClient(client),
      push: { epoch, acknowledged: 0, mutations: [mutation] },
    })
  await send('client-1', update('a', 'first'))
  expect((await send('client-2', update('b', 'second'))).outcomes).toMatchObject([{ number: 1, status: 'queued' }])
  expect(calls).toEqual(['first'])
  for (const go of open) go()
  await until(() => calls.length >= 2)
  expect(calls).toEqual(['first', 'second'])
})
