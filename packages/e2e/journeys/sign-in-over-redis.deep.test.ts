import { AdminClient } from '@godwit/admin-client'
import { CLIENT_ID_HEADER, type ClientCreated, type DeviceSession } from '@godwit/protocol'
import { redisIsThere, redisUrl } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { type IdentityProvider, openIdentityProvider } from '../harness/identity-provider.js'
import { endAll, inRepository, start } from '../harness/process.js'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../harness/server-process.js'
import { redisAddress, temporaryFolder } from '../harness/stores.js'

const overRedis = redisUrl() !== undefined || redisIsThere() ? test : test.skip

const folder = temporaryFolder()
let provider: IdentityProvider
let one: ServerProcess
let two: ServerProcess
let operator: AdminClient
const streams: ReadableStreamDefaultReader<Uint8Array>[] = []

const environmentOf = ({ issuer }: IdentityProvider) => ({
  SYNC_OIDC_ISSUER: issuer,
  SYNC_OIDC_AUDIENCE: 'godwit',
  SYNC_OIDC_LOGIN: 'email',
  SYNC_OIDC_ATTRIBUTES: 'org',
})

beforeAll(async () => {
  provider = await openIdentityProvider({ consoleCallback: 'http://127.0.0.1/unused' })
  if (overRedis === test.skip) return
  const options = {
    store: await redisAddress(folder.path),
    config: 'pushed-cities.mjs',
    environment: environmentOf(provider),
  }
  one = await startServer(options)
  two = await startServer(options)
  operator = await AdminClient.login({ url: two.url, login: 'admin', password: ADMIN_PASSWORD })
}, 120_000)
afterEach(async () => {
  for (const reader of streams.splice(0)) await reader.cancel().catch(() => undefined)
})
afterAll(async () => {
  await endAll()
  await provider.close()
  folder.remove()
})

const exchange = ({ url }: ServerProcess, token: string): Promise<Response> =>
  fetch(`${url}/rc/v1/app/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })

const codeOf = async (answer: Response) => ((await answer.json()) as { readonly code?: string }).code

/** Signs in at one server; returns the token and the headers of a device's requests. */
async function signIn(server: ServerProcess, person: string) {
  const token = await provider.accessToken(person)
  const { session } = (await (await exchange(server, token)).json()) as DeviceSession
  const authorization = `Bearer ${session}`
  const created = await fetch(`${server.url}/rc/v1/clients`, { method: 'POST', headers: { authorization } })
  const { client } = (await created.json()) as ClientCreated
  return { token, headers: { authorization, [CLIENT_ID_HEADER]: client.client_id }, client: client.client_id }
}

const pull = ({ url }: ServerProcess, headers: Record<string, string>) => fetch(`${url}/app/v1/Visit`, { headers })

async function listen({ url }: ServerProcess, headers: Record<string, string>) {
  const response = await fetch(`${url}/rc/v1/app/events`, { headers })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  streams.push(reader)
  expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^event: check\n/)
  return reader
}

overRedis(
  'one of two sessions that an operator ends on one server is refused by the other at once, and its token cannot bring it back',
  async () => {
    const [lost, kept] = [await signIn(one, 'ada'), await signIn(one, 'ada')]
    for (const { headers } of [lost, kept]) expect((await pull(one, headers)).status).toBe(200)
    const stream = await listen(one, lost.headers)
    const sessions = await operator.users.sessions('ada@example.com')
    expect(sessions.map(({ clients }) => clients)).toEqual([[lost.client], [kept.client]])
    await operator.users.endSession('ada@example.com', sessions[0]?.id ?? '')
    expect(await codeOf(await pull(one, lost.headers))).toBe('session_missing')
    expect((await stream.read()).done).toBe(true)
    expect((await pull(one, kept.headers)).status).toBe(200)
    for (const server of [one, two]) expect(await codeOf(await exchange(server, lost.token))).toBe('token_invalid')
    expect((await exchange(two, await provider.accessToken('ada'))).status).toBe(200)
  },
  60_000,
)

overRedis(
  'a token of a session that logged out at one server is refused by the other',
  async () => {
    const { token, headers } = await signIn(one, 'grace')
    expect((await exchange(two, token)).status).toBe(200)
    expect((await fetch(`${one.url}/rc/v1/app/logout`, { method: 'POST', headers })).status).toBe(200)
    for (const server of [one, two]) expect(await codeOf(await exchange(server, token))).toBe('token_invalid')
    expect(await codeOf(await pull(two, headers))).toBe('session_missing')
  },
  60_000,
)

overRedis(
  'a user who is locked at one server stays out of the other, whatever the token says',
  async () => {
    const { headers } = await signIn(one, 'linus')
    expect(await operator.users.get('linus@example.com')).toMatchObject({ attributes: { org: 'south' } })
    await operator.users.update('linus@example.com', { locked: true })
    expect(await codeOf(await pull(one, headers))).toBe('session_missing')
    expect(await codeOf(await exchange(one, await provider.accessToken('linus')))).toBe('user_locked')
  },
  60_000,
)

overRedis(
  'doctor counts the keys of the issuer, and says why those of another cannot be fetched',
  async () => {
    const settings = { ...environmentOf(provider), SYNC_STORE: 'memory:', SYNC_ADMIN_PASSWORD: ADMIN_PASSWORD }
    const doctor = async (more: object) => {
      const program = start(inRepository('apps/server/dist/godwit.js'), ['doctor', '--json'], { ...settings, ...more })
      await program.exit
      const { out } = program.output()
      return out
    }
    expect(await doctor({})).toContain(`${provider.issuer}: 1 key`)
    expect(await doctor({ SYNC_OIDC_ISSUER: `${provider.issuer}/none` })).toContain('expected the status 200, got 404')
  },
  60_000,
)
