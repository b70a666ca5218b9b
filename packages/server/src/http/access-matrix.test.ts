import { type RouteLine, routes } from '@godwit/protocol'
import { verifies } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { openServer, type TestServer } from '../testing/open-server.js'

/** Who gets in where. A route that is missing here fails; so does a caller who gets in without standing here. */
const MAY: { readonly [route: string]: string } = {
  'clients.list': 'reader operator admin',
  'clients.get': 'reader operator admin',
  'clients.page': 'reader operator admin',
  'clients.sources': 'reader operator admin',
  'clients.documentNames': 'reader operator admin',
  'clients.readDocument': 'reader operator admin',
  'clients.writeDocument': 'operator admin',
  'device.login': 'nobody device reader operator plugin admin',
  'device.logout': 'device',
  'device.createClient': 'device',
  'device.registerClient': 'device',
  'device.resetClient': 'device',
  'device.pull': 'device',
  'device.pullByBody': 'device',
  'device.events': 'device',
  'device.push': 'device',
  'device.versions': 'device',
  'device.objects': 'device',
  'device.uploadBlob': 'device',
  'device.readBlob': 'device',
  'device.search': 'device',
  'device.bulkData': 'device',
  'device.bulkFile': 'device',
  'operations.events': 'reader operator admin',
  'operations.explain': 'reader operator admin',
  'operations.undecided': 'reader operator admin',
  'operations.mutation': 'reader operator admin',
  'operations.audit': 'admin',
  'operations.checkAudit': 'admin',
  'operations.retry': 'operator admin',
  'operations.settle': 'operator admin',
  'operations.discard': 'operator admin',
  'plugin.pushObjects': 'plugin admin',
  'plugin.pushDeletes': 'plugin admin',
  'plugin.fastInsert': 'plugin admin',
  'plugin.fastUpdate': 'plugin admin',
  'plugin.fastDelete': 'plugin admin',
  'readState.set': 'operator admin',
  'sources.all': 'reader operator plugin admin',
  'sources.list': 'reader operator plugin admin',
  'sources.get': 'reader operator plugin admin',
  'sources.update': 'operator admin',
  'store.read': 'reader operator admin',
  'store.write': 'operator admin',
  'system.login': 'nobody device reader operator plugin admin',
  'system.signIn': 'nobody device reader operator plugin admin',
  'system.session': 'reader operator plugin admin',
  'system.signOut': 'reader operator plugin admin',
  'system.state': 'reader operator admin',
  'system.license': 'reader operator admin',
  'system.reset': 'admin',
  'system.jobs': 'reader operator admin',
  'system.readAppServer': 'reader operator plugin admin',
  'system.writeAppServer': 'plugin admin',
  'system.stats': 'reader operator admin',
  'system.tokens': 'reader operator plugin admin',
  'system.revokeToken': 'reader operator plugin admin',
  'users.create': 'admin',
  'users.createMany': 'admin',
  'users.list': 'reader operator admin',
  'users.get': 'reader operator admin',
  'users.page': 'reader operator admin',
  'users.update': 'operator admin',
  'users.delete': 'admin',
  'users.endSessions': 'operator admin',
  'users.clients': 'reader operator admin',
  'users.deleteClient': 'operator admin',
  'users.ping': 'operator plugin admin',
  'users.partition': 'reader operator admin',
  'users.objects': 'reader operator admin',
  'users.history': 'reader operator admin',
  'users.documentNames': 'reader operator admin',
  'users.readDocument': 'reader operator admin',
  'users.writeDocument': 'operator admin',
}

const CALLERS = ['nobody', 'device', 'reader', 'operator', 'plugin', 'admin'] as const
type CallerName = (typeof CALLERS)[number]

const table = Object.entries(routes).flatMap(([group, lines]) =>
  Object.entries<RouteLine>(lines).map(([name, line]) => [`${group}.${name}`, line] as const),
)

test('the matrix has every route', () => {
  expect(Object.keys(MAY)).toEqual(table.map(([name]) => name))
})

test.each(table)('%s admits the callers of the matrix and no others', async (name, line) => {
  verifies(
    'behaviour.roles.reader.reads',
    'behaviour.roles.reader.writes-nothing',
    'behaviour.roles.operator.documents',
    'behaviour.roles.plugin.pushes',
    'behaviour.roles.plugin.nothing-else',
    'behaviour.roles.admin',
    'behaviour.problems.role-insufficient',
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
  expect(allowed.join(' ')).toBe(MAY[name])
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

/** A session is nothing to a route of the API, nor a token to a route of devices. */
function codeFor({ roles }: RouteLine, caller: CallerName): string {
  if (roles.includes('device')) return 'session_missing'
  return caller === 'nobody' || caller === 'device' ? 'token_missing' : 'role_insufficient'
}
