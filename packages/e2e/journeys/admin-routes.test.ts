import { AdminClient } from '@godwit/admin-client'
import { type RouteLine, routes } from '@godwit/protocol'
import { schemas } from '@godwit/protocol/schemas'
import { createSyncServer } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterAll, expect, test } from '@jest/globals'

type Method = (...values: readonly unknown[]) => unknown

/** Arguments of methods that take more than their path parameters, in order, and an object. */
const VALUES: { readonly [method: string]: readonly unknown[] } = {
  'clients.writeDocument': ['client', 'City', 'notes', 'text'],
  'operations.explain': [{ source: 'City', user: 'ada', object: '1' }],
  'push.objects': ['City', '*', { 1: {} }],
  'push.deletes': ['City', '*', ['1']],
  'push.fastInsert': ['City', '*', { 1: {} }],
  'push.fastUpdate': ['City', '*', { delete_data: {}, data: {} }],
  'push.fastDelete': ['City', '*', { 1: { a: 1 } }],
  'readState.set': ['ada', 'City'],
  'store.write': ['notes', 'text'],
  'system.login': [{ login: 'admin', password: 'a long one' }],
  'system.signIn': [{ login: 'admin', password: 'a long one' }],
  'system.writeAppServer': [null],
  'users.create': [{ login: 'ada', password: 'a long one' }],
  'users.createMany': [[{ attributes: { login: 'grace', password: 'a long one' } }]],
  'users.ping': ['ada'],
  'users.writeDocument': ['ada', 'City', 'notes', 'text'],
}

const PARAMETERS: { readonly [name: string]: string } = { partition_type: 'app', source_id: 'City', user_id: 'ada' }

const valuesFor = (method: string, { path }: RouteLine): readonly unknown[] =>
  VALUES[method] ?? [...[...path.matchAll(/<([^>]+)>/g)].map(([, name = '']) => PARAMETERS[name] ?? name), {}]

const server = createSyncServer({ store: openMemoryStore(), sources: [] })
afterAll(() => server.close())

const table = Object.entries(routes)
  .filter(([group]) => group !== 'device')
  .flatMap(([group, lines]) =>
    Object.entries<RouteLine>(lines).map(([name, line]) => ({ group, name, line, method: methodOf(group, name) })),
  )

/** Returns the client's method for a route: `plugin.pushObjects` is `push.objects`. */
function methodOf(group: string, name: string): string {
  if (group !== 'plugin') return `${group}.${name}`
  const [, rest] = /^push(.+)$/.exec(name) ?? []
  return `push.${rest === undefined ? name : rest.charAt(0).toLowerCase() + rest.slice(1)}`
}

/** Returns the method at a path, or all methods that use its route. Of a stream, only the first part is read. */
function methodsAt(admin: AdminClient, path: string): readonly Method[] {
  const [group = '', name = ''] = path.split('.')
  const found = (admin as unknown as Record<string, Record<string, Method | Record<string, Method>>>)[group]?.[name]
  if (path === 'operations.events') return [() => admin.events().next()]
  return typeof found === 'function' ? [found] : Object.values(found ?? {})
}

const lineOf = ({ method, path }: RouteLine): string => `${method} ${path}`

/** Returns the route that matches a request; literal segments take precedence over parameters. */
function matching(method: string, path: string): string | undefined {
  const fitting = table
    .filter(
      ({ line }) => line.method === method && new RegExp(`^${line.path.replace(/<[^>]+>/g, '[^/]+')}$`).test(path),
    )
    .sort((one, other) => one.line.path.split('<').length - other.line.path.split('<').length)
  return fitting[0] && lineOf(fitting[0].line)
}

test('the client has a method for every route that is not for devices, iterators for lists, and no others', () => {
  const admin = new AdminClient({ url: 'http://sync.example', token: 'secret' })
  const methods = Object.entries(admin).flatMap(([group, members]) =>
    Object.keys(members).map(name => `${group}.${name}`),
  )
  const all = ['audit', 'clients', 'jobs', 'mutations', 'objects', 'refusals', 'users'].map(group => `${group}.all`)
  const iterators = [...all, 'clients.details', 'objects.find', 'users.details']
  expect(methods.sort()).toEqual([...table.map(({ method }) => method), ...iterators].sort())
})

test.each(table)(
  '$method sends its route, which has a handler, an answer and a role',
  async ({ group, name, line, method }) => {
    const sent: string[] = []
    const statuses: number[] = []
    const fetch = async (url: string, request: RequestInit) => {
      sent.push(matching(request.method ?? '', new URL(url).pathname) ?? `${request.method} ${url}`)
      const answer = await server.fetch(url, request)
      statuses.push(answer.status)
      return answer
    }
    const admin = new AdminClient({ url: 'http://sync.example', token: 'secret', fetch })
    for (const call of methodsAt(admin, method))
      await Promise.resolve(call(...valuesFor(method, line))).catch(() => undefined)
    expect([...new Set(sent)]).toEqual([lineOf(line)])
    // A registered route answers 401 without a token; an unregistered one would answer 404.
    expect(statuses.every(status => status === 401)).toBe(true)
    expect(line.roles.length).toBeGreaterThan(0)
    const own = (schemas as Record<string, Record<string, { readonly answer?: object }>>)[group]?.[name]
    expect(own).toBeDefined()
  },
)
