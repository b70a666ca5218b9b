import { readFileSync } from 'node:fs'
import { type RouteLine, routes } from '@godwit/protocol'
import { verifies } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { openServer, type TestServer } from '../testing/open-server.js'

const CALLERS = ['nobody', 'device', 'reader', 'operator', 'plugin', 'admin'] as const
type CallerName = (typeof CALLERS)[number]

const table = Object.entries(routes).flatMap(([group, lines]) =>
  Object.entries<RouteLine>(lines).map(([name, line]) => [`${group}.${name}`, line] as const),
)

/** The roles of callers that a route with the role admits. */
const ADMITTED: { readonly [role: string]: readonly CallerName[] } = {
  open: CALLERS,
  device: ['device'],
  reader: ['reader', 'operator', 'admin'],
  operator: ['operator', 'admin'],
  plugin: ['plugin', 'admin'],
  admin: ['admin'],
}

/** Route → the callers that its pinned roles admit: `users.ping: POST /rc/v1/users/ping operator,plugin`. */
const pins = new URL('../../../protocol/src/wire.pins.json', import.meta.url)
const matrix = new Map(
  (JSON.parse(readFileSync(pins, 'utf8')) as { readonly routes: readonly string[] }).routes.map(line => {
    const [name = '', , , roles = ''] = line.split(' ')
    const admitted = roles.split(',').flatMap(role => ADMITTED[role] ?? [])
    return [name.slice(0, -1), CALLERS.filter(caller => admitted.includes(caller))]
  }),
)

test('the matrix has every route', () => {
  expect([...matrix.keys()]).toEqual(table.map(([name]) => name))
})

test.each(table)('%s admits the callers of the matrix and no others', async (name, line) => {
  verifies(
    'rest.authentication.required',
    'rest.authentication.plugin-routes',
    'rest.authentication.login-needs-no-token',
  )

  const on = openServer({ resetAllowed: true })
  const allowed: CallerName[] = []
  for (const caller of CALLERS) {
    const { headers, client } = await headersOf(on, caller)
    const answer = await on.call(line.method, pathOf(line, client), {
      headers,
      ...(line.method !== 'GET' && { body: {} }),
    })
    if (![401, 403].includes(answer.status)) allowed.push(caller)
    else expect(await answer.json()).toMatchObject({ code: codeFor(line, caller) })
  }
  expect(allowed).toEqual(matrix.get(name))
})

async function headersOf(
  on: TestServer,
  caller: CallerName,
): Promise<{ headers: Record<string, string>; client: string }> {
  if (caller === 'nobody') return { headers: {}, client: 'none' }
  if (caller === 'device') return on.device('ada')
  if (caller === 'admin') return { headers: await on.as(), client: 'none' }
  const body = { attributes: { login: caller, password: 'secret' }, role: caller }
  await on.call('POST', '/rc/v1/users', { headers: await on.as(), body })
  return { headers: await on.as(caller, 'secret'), client: 'none' }
}

const pathOf = ({ path }: RouteLine, client: string): string =>
  path
    .replace('<client_id>', client)
    .replace('<source_name>', 'City')
    .replace('<source_id>', 'City')
    .replace(/<[^>]+>/g, 'md')

/** A session does not open API routes, and a token does not open device routes. */
function codeFor({ roles }: RouteLine, caller: CallerName): string {
  if (roles.includes('device')) return 'session_missing'
  return caller === 'nobody' || caller === 'device' ? 'token_missing' : 'role_insufficient'
}
