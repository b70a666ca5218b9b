import {
  CLIENT_ID_HEADER,
  type ClientCreated,
  type DeviceSession,
  type Page,
  type PushOutcomes,
} from '@godwit/protocol'
import { defineSource } from '@godwit/server'
import { until } from '@godwit/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type AttackWorld, overStores, read } from './world.js'

const DAY = 86_400_000
const POLLED = { source: 'Polled', partition: 'user:ada' }
const CALLED = { source: 'Called', partition: 'user:ada' }
const HOUR = 3_600_000

overStores(openOver => {
  let world: AttackWorld
  let now: number
  let queries: number
  let fails: boolean
  beforeEach(async () => {
    now = 1_700_000_000_000
    queries = 0
    fails = true
    const Polled = defineSource({
      name: 'Polled',
      pollInterval: 60,
      query: () => ({ o: { asked: ++queries } }),
    })
    const Note = defineSource({
      name: 'Note',
      pollInterval: -1,
      idempotent: true,
      create: () => {
        if (fails) throw new Error('The backend is away.')
      },
    })
    const Called = defineSource({ name: 'Called', pollInterval: -1, idempotent: true, create: () => undefined })
    world = await openOver({ clock: () => now, sources: [Polled, Note, Called], limits: { sweepInterval: 0.05 } })
  })
  afterEach(() => world.close())

  const pull = async (headers: Readonly<Record<string, string>>, source: string): Promise<Page> =>
    read<Page>(await world.call('GET', `/app/v1/${source}`, headers))

  /** Accepts a mutation and starts its call for an hour, like a process that then died. */
  async function startCall(client: string): Promise<void> {
    const { collections, journal } = world.store
    const { epoch } = await collections.open(CALLED)
    const key = 'the key of a started one'
    const mutations = [
      { number: 1, key, operation: 'create', object: 'c', attributes: { of: 'one that died' } },
    ] as const
    await journal.accept(CALLED, { client, user: 'ada', epoch, acknowledged: 0, mutations, idempotent: true })
    expect(await journal.start(CALLED, key, { milliseconds: HOUR, durable: true })).toHaveProperty('fence')
  }

  test.each([DAY, 30 * DAY])('a clock that is set back by %s ms makes no request wait', async back => {
    const { headers, client = '' } = await world.caller('ada')
    await pull(headers, 'Polled')
    const { epoch } = await pull(headers, 'Note')
    const key = 'the key of a mutation'
    const mutations = [{ number: 1, key, operation: 'create', object: 'n', attributes: {} }]
    const push = () => world.call('POST', '/app/v1/Note', headers, { epoch, acknowledged: 0, mutations })
    expect((await read<PushOutcomes>(await push())).outcomes).toMatchObject([{ status: 'queued' }])
    // Left by dead processes: the lease of a query, and a started call.
    const lease = await world.store.leases.acquire(
      { kind: 'query', collection: POLLED },
      { holder: 'a process that died', milliseconds: 60_000 },
    )
    expect(lease).not.toBe(undefined)
    await startCall(client)
    now -= back
    fails = false
    const requested = queries
    await until(async () => {
      await pull(headers, 'Polled')
      return queries > requested
    })
    await until(async () => (await read<PushOutcomes>(await push())).outcomes[0]?.status === 'applied')
    const login = { login: 'ada', password: 'secret' }
    const { session } = await read<DeviceSession>(await world.call('POST', '/rc/v1/app/login', {}, login))
    const bearer = { authorization: `Bearer ${session}` }
    const made = await read<ClientCreated>(await world.call('POST', '/rc/v1/clients', bearer))
    const page = await pull({ ...bearer, [CLIENT_ID_HEADER]: made.client.client_id }, 'Note')
    expect(Object.keys(page.insert ?? {})).toEqual(['n'])
    await until(async () => {
      // The call is retried after a back-off.
      now += 1000
      return 'c' in (await world.store.collections.get(CALLED, ['c']))
    })
    expect(await world.serves()).toBe(true)
  })
})
