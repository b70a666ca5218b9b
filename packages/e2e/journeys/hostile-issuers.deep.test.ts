import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { oidc, passwords } from '@godwit/auth'
import { createSyncServer, type SyncServer } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const servers: Server[] = []
let sync: SyncServer
let origin: string
let target: string
/** Paths that were requested, of issuers and of the target of a redirect. */
const requested: string[] = []

async function serve(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    listener(request, response)
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise(resolve => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const HOSTILE: { readonly [name: string]: (response: ServerResponse) => void } = {
  large: response => void response.end(JSON.stringify({ keys: [], padding: 'x'.repeat(10_000_000) })),
  redirecting: response => void response.writeHead(302, { location: `${target}/target` }).end(),
  slow: response => void response.write('{'),
  'of a metadata service': () => undefined,
}
const NAMES = Object.keys(HOSTILE)
const issuerOf = (name: string): string => `${origin}/${encodeURIComponent(name)}`

beforeAll(async () => {
  target = await serve((_, response) => void response.end('{"keys":[]}'))
  origin = await serve(({ url = '' }, response) => {
    const name = decodeURIComponent(url.split('/')[1] ?? '')
    if (url.endsWith('/keys')) return HOSTILE[name]?.(response)
    const issuer = issuerOf(name)
    const keys = name === 'of a metadata service' ? 'https://169.254.169.254/latest/keys' : `${issuer}/keys`
    response.end(JSON.stringify({ issuer, jwks_uri: keys }))
  })
  sync = createSyncServer({
    store: openMemoryStore(),
    sources: [],
    admin: { login: 'admin', password: 'a long one of words' },
    users: [{ login: 'ada', password: 'ada' }],
    allowPrivateBackends: true,
    limits: { passwordCost: 16 },
    auth: [passwords(), ...NAMES.map(name => oidc({ issuer: issuerOf(name), audience: 'godwit' }))],
  })
})
afterAll(async () => {
  await sync.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function tokenOf(name: string): string {
  const exp = Math.floor(Date.now() / 1000) + 600
  const claims = encoded({ iss: issuerOf(name), aud: 'godwit', sub: 'u1', exp })
  return `${encoded({ alg: 'RS256', kid: 'k' })}.${claims}.${encoded({})}`
}

async function logIn(body: object): Promise<readonly [status: number, code: string | undefined]> {
  const headers = { 'content-type': 'application/json' }
  const answer = await sync.fetch('http://sync.test/rc/v1/app/login', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const { code } = (await answer.json()) as { readonly code?: string }
  return [answer.status, code]
}

test.each(NAMES)(
  'a token of an issuer whose keys are %s is refused in time, and others log in meanwhile',
  async name => {
    const refused = logIn({ token: tokenOf(name) })
    expect(await logIn({ login: 'ada', password: 'ada' })).toEqual([200, undefined])
    expect(await refused).toEqual([502, 'backend_failed'])
    expect(requested).not.toContain('/target')
  },
  30_000,
)
