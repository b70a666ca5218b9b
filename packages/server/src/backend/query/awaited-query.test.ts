import type { PushOutcomes } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { expect, test } from '@jest/globals'
import { openServer } from '../../testing/open-server.js'

test('changes accepted before the first query reach the backend without their device', async () => {
  const created: object[] = []
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  let isBroken = true
  const Visit = defineSource<object>({
    name: 'Visit',
    pollInterval: -1,
    query: () => {
      if (isBroken) throw new Error('out of order')
      return {}
    },
    create: attributes => {
      created.push(attributes)
      arrive()
      return 'real'
    },
  })
  const on = openServer({ sources: [Visit], limits: { sweepInterval: 0.05 } })
  const { headers } = await on.device('ada')
  const page = (await (await on.call('GET', '/app/v1/Visit', { headers })).json()) as { epoch: string }
  await on.store.collections.requestQuery({ source: 'Visit', partition: 'user:ada' })
  const mutation = { number: 1, key: 'a key of sixteen', operation: 'create', object: 't1', attributes: { n: 1 } }
  const body = { epoch: page.epoch, acknowledged: 0, mutations: [mutation] }
  const pushed = (await (await on.call('POST', '/app/v1/Visit', { headers, body })).json()) as PushOutcomes
  expect(pushed.outcomes).toMatchObject([{ number: 1, status: 'queued' }])
  isBroken = false
  await arrived
  expect(created).toEqual([{ n: 1 }])
})
