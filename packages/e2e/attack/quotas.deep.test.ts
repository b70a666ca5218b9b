import { createHash } from 'node:crypto'
import type { Page } from '@godwit/protocol'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type AttackCaller, type AttackWorld, overStores, read, refusalOf } from './world.js'

overStores(openOver => {
  let world: AttackWorld
  beforeEach(async () => {
    world = await openOver({ limits: { clientsPerUser: 50, outcomesPerClient: 1000, unnamedBlobBytes: 1024 * 1024 } })
  })
  afterEach(() => world.close())

  const metric = async (name: string): Promise<number> => {
    const text = await (await world.ask('/metrics')).text()
    return Number(new RegExp(`^${name.replaceAll(/[{}"=,]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1])
  }

  test('a user who creates thousands of clients is held to the quota', async () => {
    const ada = await world.caller('ada')
    const statuses = new Set<number>()
    for (let n = 0; n < 2000; n += 50)
      for (const answer of await Promise.all(
        Array.from({ length: 50 }, () => world.call('POST', '/rc/v1/clients', ada.headers)),
      )) {
        await answer.arrayBuffer()
        statuses.add(answer.status)
      }
    expect(statuses.has(429)).toBe(true)
    expect(await world.store.registry.count('client', 'ada')).toBeLessThanOrEqual(50)
    expect(await world.serves()).toBe(true)
  })

  test('a client that opens a thousand event streams keeps the latest ones', async () => {
    const ada = await world.caller('ada')
    const gone = new AbortController()
    for (let n = 0; n < 1000; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const asked = world.ask('/rc/v1/app/events', { headers: ada.headers, signal: gone.signal })
          // One that had to make room before its answer began has none.
          const answer = await asked.catch(() => undefined)
          await answer?.body
            ?.getReader()
            .read()
            .catch(() => undefined)
        }),
      )
    expect(await metric('godwit_event_streams')).toBeLessThanOrEqual(4)
    expect(await metric('godwit_limited_total{limit="streamsPerClient",result="made_room"}')).toBeGreaterThanOrEqual(
      990,
    )
    gone.abort()
  })

  test('a device that acknowledges nothing is refused until it does', async () => {
    const ada = await world.caller('ada')
    const { epoch } = await read<Page>(await world.call('GET', '/app/v1/Note', ada.headers))
    const push = (from: number, acknowledged: number, count = 500): Promise<Response> => {
      const mutations = Array.from({ length: count }, (_, n) => ({
        number: from + n,
        key: `key-${String(from + n).padStart(20, '0')}`,
        operation: 'create',
        object: `n${from + n}`,
        attributes: {},
      }))
      return world.call('POST', '/app/v1/Note', ada.headers, { epoch, acknowledged, mutations })
    }
    for (const from of [1, 501, 1001]) expect((await push(from, 0)).status).toBe(200)
    expect(await refusalOf(await push(1501, 0))).toBe('429 quota_exceeded')
    expect((await push(1501, 1500)).status).toBe(200)
  })

  test('a user who pulls large pages over many connections lets other users in between', async () => {
    const [ada, grace, plugin] = await Promise.all([world.caller('ada'), world.caller('grace'), world.caller('plugin')])
    for (let from = 0; from < 10_000; from += 2000) {
      const entries = Array.from({ length: 2000 }, (_, n) => [`o${from + n}`, { text: 'x'.repeat(100) }] as const)
      const body = { user_id: '*', objects: Object.fromEntries(entries) }
      expect((await world.call('POST', '/app/v1/Shared/push_objects', plugin.headers, body)).status).toBe(200)
    }
    let answered = 0
    const pulls = Array.from({ length: 60 }, async () => {
      const answer = await world.call('GET', '/app/v1/Shared?p_size=10000', ada.headers)
      answered++
      expect((await read<Page>(answer)).count).toBeGreaterThanOrEqual(2000)
    })
    expect((await world.call('GET', '/app/v1/Note', grace.headers)).status).toBe(200)
    // Without turns she is served after all of them; how many come before her depends on the machine.
    expect(answered).toBeLessThan(60)
    await Promise.all(pulls)
  })

  test('unreferenced blobs count against the quota of their user alone', async () => {
    const send = async ({ headers }: AttackCaller, n: number): Promise<Response> => {
      const bytes = new Uint8Array(64 * 1024).fill(n)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const query = new URLSearchParams({ hash, size: String(bytes.length), offset: '0' })
      const type = { 'content-type': 'application/octet-stream' }
      return world.ask(`/app/v1/Note/blobs?${query}`, { method: 'POST', headers: { ...headers, ...type }, body: bytes })
    }
    const [ada, grace] = await Promise.all([world.caller('ada'), world.caller('grace')])
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => send(ada, n)))
    const refusals = answers.filter(({ status }) => status !== 200)
    for (const refused of refusals) expect(await refusalOf(refused)).toBe('429 quota_exceeded')
    expect(answers.length - refusals.length).toBe(15)
    expect(await world.store.blobs.charged('ada')).toBeLessThanOrEqual(1024 * 1024)
    expect((await send(grace, 1)).status).toBe(200)
  })
})
