import type { Attributes, Page } from '@godwit/protocol'
import { defineSource, type SourceDefinition } from '@godwit/source'
import { verifies } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { failure, json, openServer } from '../../testing/open-server.js'

/** A server with one source, a fixed clock, and devices that pull from it. */
async function world(given: Partial<SourceDefinition<Attributes>>) {
  let now = Date.UTC(2026, 0, 1)
  let calls = 0
  const Thing = defineSource<Attributes>({
    name: 'Thing',
    query({ user }) {
      calls++
      return { [`of ${user}`]: { call: calls } }
    },
    ...given,
  })
  const on = openServer({ sources: [Thing], clock: () => now })
  const device = async (login: string) => {
    const { headers } = await on.device(login)
    const pull = async (token?: string) => {
      const answer = await on.call('GET', `/app/v1/Thing${token ? `?token=${encodeURIComponent(token)}` : ''}`, {
        headers,
      })
      return answer.status === 200 ? json<Page>(answer) : Promise.reject(await failure(answer))
    }
    return { pull }
  }
  return {
    device,
    calls: () => calls,
    pass(seconds: number) {
      now += 1000 * seconds
    },
  }
}

describe('poll_interval', () => {
  test('above 0 is the time between two calls', async () => {
    verifies('rest.sources.poll-interval.seconds')

    const { device, calls, pass } = await world({ pollInterval: 60 })
    const { pull } = await device('ada')
    await pull()
    pass(59)
    await pull()
    expect(calls()).toBe(1)
    pass(2)
    await pull()
    expect(calls()).toBe(2)
  })

  test('of -1 disables polling', async () => {
    verifies('rest.sources.poll-interval.disabled')

    const { device, calls, pass } = await world({ pollInterval: -1 })
    const { pull } = await device('ada')
    await pull()
    pass(29 * 24 * 3600)
    await pull()
    expect(calls()).toBe(0)
  })

  test('of 0 calls the adapter at every sync', async () => {
    verifies('rest.sources.poll-interval.always')

    const { device, calls } = await world({ pollInterval: 0 })
    const { pull } = await device('ada')
    for (let times = 0; times < 3; times++) await pull()
    expect(calls()).toBe(3)
  })
})

describe('partition_type', () => {
  test('app shares the data across all users', async () => {
    verifies('rest.sources.partition-type.app')

    const { device, calls } = await world({ partition: 'app' })
    const [ada, grace] = [await device('ada'), await device('grace')]
    const [hers, others] = [await ada.pull(), await grace.pull()]
    expect(others.insert).toEqual(hers.insert)
    expect(calls()).toBe(1)
  })

  test('user, the default, keeps the data of each user apart', async () => {
    verifies('rest.sources.partition-type.user')

    const { device, calls } = await world({})
    const [ada, grace] = [await device('ada'), await device('grace')]
    expect(Object.keys((await ada.pull()).insert ?? {})).toEqual(['of ada'])
    expect(Object.keys((await grace.pull()).insert ?? {})).toEqual(['of grace'])
    expect(calls()).toBe(2)
  })
})

describe('sync_type', () => {
  test('incremental, the default, sends what changed', async () => {
    verifies('rest.sources.sync-type.incremental')

    const answers = [
      { a: { n: 1 }, b: { n: 1 } },
      { a: { n: 1 }, b: { n: 2 } },
    ]
    const { device } = await world({ pollInterval: 0, query: () => answers.shift() ?? {} })
    const { pull } = await device('ada')
    const first = await pull()
    expect(first.insert).toEqual({ a: { n: 1 }, b: { n: 1 } })
    expect((await pull(first.token)).insert).toEqual({ b: { n: 2 } })
  })

  test('bulk_only has incremental sync disabled', async () => {
    verifies('rest.sources.sync-type.bulk-only')

    const { device, calls } = await world({ syncType: 'bulk_only' })
    const { pull } = await device('ada')
    await expect(pull()).rejects.toBe('409 bulk_only')
    expect(calls()).toBe(0)
  })
})
