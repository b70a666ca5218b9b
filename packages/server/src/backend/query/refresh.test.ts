import type { Attributes, PartitionState } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { EDGES, failure, json, type TestServer } from '../../testing/open-server.js'

describe.each(EDGES)('a refresh, %s', (_, open) => {
  let on: TestServer
  let asked: string[]
  let fails: boolean
  let meanwhile: Promise<void> | undefined
  beforeEach(async () => {
    asked = []
    fails = false
    meanwhile = undefined
    const query = async ({ user }: { readonly user: string }) => {
      asked.push(user)
      const count = asked.length
      await meanwhile
      if (fails) throw new Error('the table is gone')
      return { 1: { count } }
    }
    const Hourly = defineSource<Attributes>({ name: 'Hourly', pollInterval: 3600, query })
    const Shared = defineSource<Attributes>({ name: 'Shared', partition: 'app', pollInterval: -1, query })
    const Pushed = defineSource<Attributes>({ name: 'Pushed', partition: 'app', pollInterval: -1 })
    on = await open({ sources: [Hourly, Shared, Pushed] })
  })
  afterEach(() => on.server.close())

  const refresh = async (user: string, source: string) =>
    on.call('POST', `/rc/v1/readstate/users/${encodeURIComponent(user)}/sources/${source}/refresh`, {
      headers: await on.as(),
    })

  test('queries at once, for the shared copy or that of a user, and tells how it stands', async () => {
    verifies('rest.read-state.refresh')

    expect(await json<PartitionState>(await refresh('*', 'Shared'))).toMatchObject({
      partition: '*',
      count: 1,
      query_requested: false,
      error: null,
    })
    const { headers } = await on.device('ada')
    await on.call('GET', '/app/v1/Hourly', { headers })
    expect(await json<PartitionState>(await refresh('ada', 'Hourly'))).toMatchObject({
      version: 2,
      query_requested: false,
    })
    expect(asked).toEqual(['*', 'ada', 'ada'])
  })

  test('tells that the query failed, and asks once', async () => {
    verifies('rest.read-state.refresh')

    fails = true
    const state = await json<PartitionState>(await refresh('*', 'Shared'))
    expect([state.error?.code, asked.length]).toEqual(['backend_failed', 1])
  })

  test('asks again where a query was under way that read before', async () => {
    verifies('rest.read-state.refresh')

    let release = (): void => {}
    meanwhile = new Promise(resolve => {
      release = resolve
    })
    const first = refresh('*', 'Shared')
    while (asked.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
    const second = refresh('*', 'Shared')
    await new Promise(resolve => setTimeout(resolve, 50))
    release()
    await first
    await second
    const { objects } = await json<{ objects: readonly { attributes: object }[] }>(
      await on.call('GET', '/rc/v1/users/*/sources/Shared/objects', { headers: await on.as() }),
    )
    expect([asked.length, objects[0]?.attributes]).toEqual([2, { count: 2 }])
  })

  test('is refused where there is nothing to query, and for unknown users', async () => {
    verifies('rest.read-state.refresh')

    expect(await failure(await refresh('*', 'Pushed'))).toBe('422 value_not_allowed')
    expect(await failure(await refresh('nobody', 'Hourly'))).toBe('404 user_not_found')
    expect(asked).toEqual([])
  })
})
