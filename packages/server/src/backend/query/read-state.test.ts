import type { Attributes } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { EDGES, failure, type TestServer } from '../../testing/open-server.js'

describe.each(EDGES)('the read state, %s', (_, open) => {
  let on: TestServer
  let headers: Record<string, string>
  let now: number
  let asked: string[]
  let meanwhile: (() => unknown) | undefined
  beforeEach(async () => {
    now = 1_700_000_000_000
    asked = []
    meanwhile = undefined
    const source = (name: string, partition: 'app' | 'user', pollInterval: number) =>
      defineSource<Attributes>({
        name,
        partition,
        pollInterval,
        query: async ({ user }) => {
          asked.push(`${name} ${user}`)
          await meanwhile?.()
          return {}
        },
      })
    const sources = [source('Hourly', 'user', 3600), source('Never', 'user', -1), source('Shared', 'app', -1)]
    on = await open({ sources, clock: () => now })
    headers = await on.as()
  })
  afterEach(() => on.server.close())

  const set = (user: string, source: string, body?: unknown) =>
    on.call('PUT', `/rc/v1/readstate/users/${encodeURIComponent(user)}/sources/${source}`, {
      headers,
      ...(body !== undefined && { body }),
    })
  const device = async (login: string) => {
    const { headers } = await on.device(login)
    return (source: string) => on.call('GET', `/app/v1/${source}`, { headers })
  }

  test('makes the source due for that user after the given seconds', async () => {
    verifies('rest.read-state.refresh-time')

    const [ada, grace] = [await device('ada'), await device('grace')]
    await ada('Hourly')
    await grace('Hourly')
    const body = { attributes: { login: 'olga', password: 'hers' }, role: 'operator' }
    await on.call('POST', '/rc/v1/users', { headers, body })
    headers = await on.as('olga', 'hers')
    const answer = await set('ada', 'Hourly', { refresh_time: 60 })
    expect([answer.status, await answer.json()]).toEqual([200, {}])
    now += 59_000
    await ada('Hourly')
    expect(asked).toHaveLength(2)
    now += 1000
    await ada('Hourly')
    await grace('Hourly')
    expect(asked).toEqual(['Hourly ada', 'Hourly grace', 'Hourly ada'])
  })

  test('makes the source due at the next pull, with or without a body', async () => {
    verifies('rest.read-state.refresh-time-omitted')

    const ada = await device('ada')
    await ada('Hourly')
    for (const body of [undefined, {}]) {
      expect((await set('ada', 'Hourly', body)).status).toBe(200)
      await ada('Hourly')
      await ada('Hourly')
    }
    expect(asked).toHaveLength(3)
  })

  test('runs a query once where polling is off, also of a partition that was never pulled', async () => {
    const ada = await device('ada')
    await set('ada', 'Never')
    await ada('Never')
    await ada('Never')
    expect(asked).toEqual(['Never ada'])
    await set('ada', 'Never', { refresh_time: 10 })
    await ada('Never')
    expect(asked).toHaveLength(1)
    now += 10_000
    await ada('Never')
    await ada('Never')
    expect(asked).toHaveLength(2)
  })

  describe.each(['Hourly', 'Never'])('of %s, set while a query runs,', source => {
    test.each([
      ['succeeds', () => {}],
      ['fails', () => Promise.reject(new Error('no answer'))],
    ])('is kept when that query %s', async (_, end) => {
      verifies('rest.read-state.refresh-time')

      const ada = await device('ada')
      await set('ada', source, { refresh_time: 0 })
      meanwhile = async () => {
        meanwhile = undefined
        expect((await set('ada', source, { refresh_time: 2 })).status).toBe(200)
        await end()
      }
      await ada(source)
      now += 1999
      await ada(source)
      expect(asked).toHaveLength(1)
      now += 1
      await ada(source)
      expect(asked).toHaveLength(2)
      now += 60_000
      await ada(source)
      expect(asked).toHaveLength(2)
    })
  })

  test('of an app source is that of the shared partition, for any user', async () => {
    const [ada] = [await device('ada'), await device('grace')]
    for (const user of ['grace', '*']) {
      await set(user, 'Shared')
      await ada('Shared')
    }
    expect(asked).toHaveLength(2)
  })

  test('accepts 0 as now, and nothing below', async () => {
    const ada = await device('ada')
    await ada('Hourly')
    for (const refresh_time of [-1, 0.5, '60', null, 1e300]) {
      expect(await failure(await set('ada', 'Hourly', { refresh_time }))).toBe('422 body_invalid')
    }
    await ada('Hourly')
    expect(asked).toHaveLength(1)
    await set('ada', 'Hourly', { refresh_time: 0 })
    await ada('Hourly')
    expect(asked).toHaveLength(2)
  })

  test('is refused for unknown users and sources', async () => {
    await on.device('ada')
    expect(await failure(await set('nobody', 'Hourly'))).toBe('404 user_not_found')
    expect(await failure(await set('ada', '__proto__'))).toBe('404 source_not_found')
    expect(await failure(await set('*', 'Hourly'))).toBe('422 value_not_allowed')
  })
})
