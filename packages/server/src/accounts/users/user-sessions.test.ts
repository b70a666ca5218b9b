import type { UserSession } from '@godwit/protocol'
import { openMemoryStore } from '@godwit/store'
import { describe, expect, test } from '@jest/globals'
import { failure, json, openServer, type TestServer } from '../../testing/open-server.js'

const START = Date.parse('2026-01-01T00:00:00Z')

const sessionsOf = async (on: TestServer, login = 'ada') =>
  json<readonly UserSession[]>(await on.call('GET', `/rc/v1/users/${login}/sessions`, { headers: await on.as() }))
const end = async (on: TestServer, id: string, login = 'ada') =>
  on.call('DELETE', `/rc/v1/users/${login}/sessions/${id}`, { headers: await on.as() })
const pull = (on: TestServer, headers: Record<string, string>) => on.call('GET', '/app/v1/City', { headers })

describe('the sessions of a user', () => {
  test('are listed with the device that uses them, oldest first, and without their secrets', async () => {
    const time = { now: START }
    const on = openServer({ clock: () => time.now })
    const first = await on.device('ada')
    await pull(on, first.headers)
    time.now += 60_000
    await on.device('ada')
    await on.device('grace')
    const sessions = await sessionsOf(on)
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{16}$/),
        clients: [first.client],
        created_at: '2026-01-01T00:00:00.000Z',
        expires_at: expect.any(String),
      },
      expect.objectContaining({ created_at: '2026-01-01T00:01:00.000Z' }),
    ])
    const secret = first.headers['authorization']?.slice('Bearer '.length) ?? ''
    expect(JSON.stringify(sessions)).not.toContain(secret)
  })

  test('end one by one, on every process at once, and the others go on', async () => {
    const store = openMemoryStore()
    const [here, there] = [openServer({ store }), openServer({ store })]
    const [lost, kept] = [await here.device('ada'), await here.device('ada')]
    for (const { headers } of [lost, kept]) expect((await pull(there, headers)).status).toBe(200)
    const stream = await there.call('GET', '/rc/v1/app/events', { headers: lost.headers })
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const session = (await sessionsOf(here)).find(({ clients }) => clients.includes(lost.client))
    expect((await end(here, session?.id ?? '')).status).toBe(200)
    expect(await failure(await pull(there, lost.headers))).toBe('401 session_missing')
    expect((await reader.read()).done).toBe(true)
    expect((await pull(there, kept.headers)).status).toBe(200)
    expect(await sessionsOf(here)).toHaveLength(1)
  })

  test('are no longer listed when they have expired', async () => {
    const time = { now: START }
    const on = openServer({ clock: () => time.now, limits: { sessionLife: 60 } })
    await on.device('ada')
    expect(await sessionsOf(on)).toHaveLength(1)
    time.now += 61_000
    expect(await sessionsOf(on)).toEqual([])
  })

  test('of another user, unknown ones and tokens of the API are not found', async () => {
    const on = openServer()
    await on.device('ada')
    await on.device('grace')
    const [session] = await sessionsOf(on)
    const foreign = await end(on, session?.id ?? '', 'grace')
    expect(foreign.headers.get('www-authenticate')).toBeNull()
    expect(await failure(foreign)).toBe('404 session_not_found')
    expect(await failure(await end(on, 'none'))).toBe('404 session_not_found')
    expect(await failure(await end(on, 'none', 'nobody'))).toBe('404 user_not_found')
    expect(await sessionsOf(on, 'admin')).toEqual([])
  })
})
