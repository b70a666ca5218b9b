import { AdminClient } from '@godwit/admin-client'
import { type RouteLine, type Routes, routes } from '@godwit/protocol'
import { schemas } from '@godwit/protocol/schemas'
import { createSyncServer } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterAll, expect, test } from '@jest/globals'

type Calls<Table> = { readonly [Name in keyof Table]: (admin: AdminClient) => unknown }

/** A call of the client for every route. One that is missing does not compile. */
const CALLS: { readonly [Group in Exclude<keyof Routes, 'device'>]: Calls<Routes[Group]> } = {
  clients: {
    list: admin => admin.clients.list(),
    get: admin => admin.clients.get('client'),
    page: admin => admin.clients.page(),
    sources: admin => admin.clients.sources('client'),
    documentNames: admin => admin.clients.documentNames('client', 'City'),
    readDocument: admin => admin.clients.readDocument('client', 'City', 'cd'),
    writeDocument: admin => admin.clients.writeDocument('client', 'City', 'notes', 'text'),
  },
  operations: {
    events: admin => admin.events().next(),
    explain: admin => admin.operations.explain({ source: 'City', user: 'ada', object: '1' }),
    undecided: admin => admin.operations.undecided(),
    mutation: admin => admin.operations.mutation('id'),
    audit: admin => admin.operations.audit(),
    checkAudit: admin => admin.operations.checkAudit(),
    retry: admin => admin.operations.retry('id'),
    settle: admin => admin.operations.settle('id'),
    discard: admin => admin.operations.discard('id'),
  },
  plugin: {
    pushObjects: admin => admin.push.objects('City', '*', { 1: {} }),
    pushDeletes: admin => admin.push.deletes('City', '*', ['1']),
    fastInsert: admin => admin.push.fastInsert('City', '*', { 1: {} }),
    fastUpdate: admin => admin.push.fastUpdate('City', '*', { delete_data: {}, data: {} }),
    fastDelete: admin => admin.push.fastDelete('City', '*', { 1: { a: 1 } }),
  },
  readState: {
    set: admin => admin.readState.set('ada', 'City'),
  },
  sources: {
    all: admin => admin.sources.all(),
    list: admin => admin.sources.list('app'),
    get: admin => admin.sources.get('City'),
    update: admin => admin.sources.update('City', { poll_interval: 60 }),
  },
  store: {
    read: admin => admin.store.read('notes'),
    write: admin => admin.store.write('notes', 'text'),
  },
  system: {
    login: admin => admin.system.login({ login: 'admin', password: 'a long one' }),
    signIn: admin => admin.system.signIn({ login: 'admin', password: 'a long one' }),
    session: admin => admin.system.session(),
    signOut: admin => admin.system.signOut(),
    state: admin => admin.system.state(),
    license: admin => admin.system.license(),
    reset: admin => admin.system.reset(),
    readAppServer: admin => admin.system.readAppServer(),
    writeAppServer: admin => admin.system.writeAppServer(null),
    jobs: admin => admin.system.jobs(),
    // Its two questions are doors to one route.
    stats: admin => Promise.allSettled([admin.system.stats.names('*'), admin.system.stats.read('users')]),
    tokens: admin => admin.system.tokens(),
    revokeToken: admin => admin.system.revokeToken('id'),
  },
  users: {
    create: admin => admin.users.create({ login: 'ada', password: 'a long one' }),
    createMany: admin => admin.users.createMany([{ attributes: { login: 'grace', password: 'a long one' } }]),
    list: admin => admin.users.list(),
    get: admin => admin.users.get('ada'),
    update: admin => admin.users.update('ada', { attributes: { team: 'north' } }),
    delete: admin => admin.users.delete('ada'),
    page: admin => admin.users.page(),
    endSessions: admin => admin.users.endSessions('ada'),
    clients: admin => admin.users.clients('ada'),
    deleteClient: admin => admin.users.deleteClient('ada', 'client'),
    ping: admin => admin.users.ping('ada'),
    partition: admin => admin.users.partition('ada', 'City'),
    objects: admin => admin.users.objects('ada', 'City'),
    history: admin => admin.users.history('ada', 'City', '1'),
    documentNames: admin => admin.users.documentNames('ada', 'City'),
    readDocument: admin => admin.users.readDocument('ada', 'City', 'md'),
    writeDocument: admin => admin.users.writeDocument('ada', 'City', 'notes', 'text'),
  },
}

const server = createSyncServer({ store: openMemoryStore(), sources: [] })
afterAll(() => server.close())

const table = Object.entries(routes)
  .filter(([group]) => group !== 'device')
  .flatMap(([group, lines]) =>
    Object.entries<RouteLine>(lines).map(([name, line]) => ({ group, name, line, method: methodOf(group, name) })),
  )

/** How the client names the method of a route: `plugin.pushObjects` is `push.objects`. */
function methodOf(group: string, name: string): string {
  if (group !== 'plugin') return `${group}.${name}`
  const [, rest] = /^push(.+)$/.exec(name) ?? []
  return `push.${rest === undefined ? name : rest.charAt(0).toLowerCase() + rest.slice(1)}`
}

const lineOf = ({ method, path }: RouteLine): string => `${method} ${path}`

/** The line of the table that a request is for: literal names go before parameters. */
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
  const iterators = ['audit', 'clients', 'jobs', 'mutations', 'objects', 'users'].map(group => `${group}.all`)
  expect(methods.sort()).toEqual([...table.map(({ method }) => method), ...iterators].sort())
})

test.each(table)(
  '$method sends its route, which has a handler, an answer and a role',
  async ({ group, name, line }) => {
    const sent: string[] = []
    const statuses: number[] = []
    const fetch = async (url: string, request: RequestInit) => {
      sent.push(matching(request.method ?? '', new URL(url).pathname) ?? `${request.method} ${url}`)
      const answer = await server.fetch(url, request)
      statuses.push(answer.status)
      return answer
    }
    const admin = new AdminClient({ url: 'http://sync.example', token: 'secret', fetch })
    const calls = CALLS as { readonly [group: string]: Calls<{ readonly [name: string]: unknown }> }
    await Promise.resolve(calls[group]?.[name]?.(admin)).catch(() => undefined)
    expect([...new Set(sent)]).toEqual([lineOf(line)])
    // A registered route answers 401 without a token; an unregistered one would answer 404.
    expect(statuses.every(status => status === 401)).toBe(true)
    expect(line.roles.length).toBeGreaterThan(0)
    const own = (schemas as Record<string, Record<string, { readonly answer?: object }>>)[group]?.[name]
    expect(own).toBeDefined()
  },
)
