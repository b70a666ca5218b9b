import { openMemoryStore } from '@godwit/store'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { failure, openServer, type TestServer } from '../../testing/open-server.js'

/** Two servers over one store act as two processes, since they share nothing else. */
describe('a revocation on one process', () => {
  let here: TestServer
  let there: TestServer
  let admin: Record<string, string>
  beforeEach(async () => {
    const store = openMemoryStore()
    here = openServer({ store })
    there = openServer({ store })
    admin = await here.as()
  })
  afterEach(async () => {
    await here.server.close()
    await there.server.close()
  })

  const pull = (headers: Record<string, string>) => there.call('GET', '/app/v1/City', { headers })

  test.each<[string, (headers: Record<string, string>) => Promise<Response>]>([
    ['a logout', headers => here.call('POST', '/rc/v1/app/logout', { headers })],
    [
      'another password',
      () => here.call('PUT', '/rc/v1/users/ada', { headers: admin, body: { attributes: { password: 'another' } } }),
    ],
    ['a deleted user', () => here.call('DELETE', '/rc/v1/users/ada', { headers: admin })],
  ])('applies to the other at once: %s', async (_, revoke) => {
    const { headers } = await here.device('ada')
    expect((await pull(headers)).status).toBe(200)
    expect((await revoke(headers)).status).toBe(200)
    expect(await failure(await pull(headers))).toBe('401 session_missing')
  })

  test('closes the event streams of the other', async () => {
    const { headers } = await here.device('ada')
    const stream = await there.call('GET', '/rc/v1/app/events', { headers })
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('event: check')
    await here.call('POST', '/rc/v1/app/logout', { headers })
    expect((await reader.read()).done).toBe(true)
  })

  test('applies to tokens of the API too', async () => {
    const use = () => there.call('GET', '/rc/v1/users', { headers: admin })
    expect((await use()).status).toBe(200)
    const [{ id }] = (await (await here.call('GET', '/rc/v1/system/tokens', { headers: admin })).json()) as [
      { id: string },
    ]
    expect((await here.call('DELETE', `/rc/v1/system/tokens/${id}`, { headers: admin })).status).toBe(200)
    expect(await failure(await use())).toBe('401 token_invalid')
  })
})
