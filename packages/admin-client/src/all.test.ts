import { routes } from '@godwit/protocol'
import { schemas } from '@godwit/protocol/schemas'
import { expect, test } from '@jest/globals'
import { AdminClient } from './index.js'

/** A client of a server with these items in one list, and the queries that the server received. */
function listing<T>(items: readonly T[], next: (query: URLSearchParams, items: readonly T[]) => readonly T[]) {
  const asked: string[] = []
  const fetch = async (address: string) => {
    const { pathname, search, searchParams } = new URL(address)
    asked.push(pathname + search)
    const limit = Number(searchParams.get('limit') ?? Number.POSITIVE_INFINITY)
    return Response.json(next(searchParams, items).slice(0, limit))
  }
  return { asked, admin: new AdminClient({ url: 'http://sync.example', token: 'secret', fetch }) }
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `id-${String(n).padStart(5, '0')}`)
const behind = (query: URLSearchParams, items: readonly string[]) => items.filter(id => id > (query.get('after') ?? ''))

async function read<T>(all: AsyncIterable<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const items: T[] = []
  for await (const item of all) if (items.push(item) >= most) break
  return items
}

test.each([0, 1, 499, 500, 501, 1000, 1234])('all of %d clients come once each, in order', async count => {
  const { admin, asked } = listing(ids(count), behind)
  expect(await read(admin.clients.all({ user: 'ada & co' }))).toEqual(ids(count))
  expect(asked).toHaveLength(Math.floor(count / 500) + 1)
  expect(asked[0]).toBe('/rc/v1/clients?user=ada+%26+co&limit=500')
})

test('a page is requested once the previous one is read, and none after the reader leaves', async () => {
  const { admin, asked } = listing(ids(2000), behind)
  expect(await read(admin.users.all({ role: 'device' }), 501)).toHaveLength(501)
  expect(asked).toEqual(['/rc/v1/users?role=device&limit=500', '/rc/v1/users?role=device&after=id-00499&limit=500'])
})

test('a server without pagination is asked once', async () => {
  const { admin, asked } = listing(ids(700), (_, items) => items)
  const all = new AdminClient({
    url: 'http://sync.example',
    token: 'secret',
    fetch: async address => Response.json(asked.push(address) ? ids(700) : []),
  })
  expect(await read(all.users.all())).toHaveLength(700)
  expect([asked.length, admin.token]).toEqual([1, 'secret'])
})

test('mutations and jobs are paged by id, the audit by descending number', async () => {
  const rows = ids(600).map(id => ({ id }))
  const after = (query: URLSearchParams, items: readonly { id: string }[]) =>
    items.filter(({ id }) => id > (query.get('after') ?? ''))
  const { admin, asked } = listing(rows, after)
  expect(await read(admin.mutations.all({ state: 'queued' }))).toEqual(rows)
  expect(await read(admin.jobs.all({ queue: 'ping' }))).toEqual(rows)
  expect(asked).toEqual([
    '/rc/v1/mutations?state=queued&limit=500',
    '/rc/v1/mutations?state=queued&after=id-00499&limit=500',
    '/rc/v1/system/jobs?queue=ping&limit=500',
    '/rc/v1/system/jobs?queue=ping&after=id-00499&limit=500',
  ])
  const entries = Array.from({ length: 600 }, (_, n) => ({ number: 600 - n }))
  const audit = listing(entries, (query, items) =>
    items.filter(({ number }) => number < Number(query.get('before') ?? Number.POSITIVE_INFINITY)),
  )
  expect(await read(audit.admin.audit.all())).toEqual(entries)
  expect(audit.asked).toEqual(['/rc/v1/audit?limit=500', '/rc/v1/audit?before=101&limit=500'])
})

test('an aborted signal ends the iteration, and an error of a later page reaches the reader', async () => {
  const ending = new AbortController()
  const fetch = async (address: string, { signal }: RequestInit) => {
    signal?.throwIfAborted()
    if (address.includes('after')) return Response.json({ code: 'store_unavailable', detail: 'gone' }, { status: 503 })
    return Response.json(ids(500))
  }
  const admin = new AdminClient({ url: 'http://sync.example', token: 'secret', fetch })
  await expect(read(admin.clients.all())).rejects.toMatchObject({ code: 'store_unavailable' })
  ending.abort(new Error('enough'))
  await expect(read(admin.clients.all({ signal: ending.signal }))).rejects.toThrow('enough')
})

test('users and clients come with their details, paged by login and client', async () => {
  const users = listing(
    ids(600).map(login => ({ login })),
    (query, items) => items.filter(({ login }) => login > (query.get('after') ?? '')),
  )
  expect(await read(users.admin.users.details({ role: 'device' }))).toHaveLength(600)
  expect(users.asked.at(-1)).toBe('/rc/v1/system/users?role=device&after=id-00499&limit=500')
  const clients = listing(
    ids(600).map(client_id => ({ client_id })),
    (query, items) => items.filter(({ client_id }) => client_id > (query.get('after') ?? '')),
  )
  expect(await read(clients.admin.clients.details())).toHaveLength(600)
  expect(clients.asked.at(-1)).toBe('/rc/v1/system/clients?after=id-00499&limit=500')
})

test('a search of objects goes on over pages that found none', async () => {
  const asked: string[] = []
  const found = (id: string) => ({ id, version: 1, attributes: {} })
  const answers = [
    { objects: [found('a')], looked: 10_000, next: 'b' },
    { objects: [], looked: 10_000, next: 'c d' },
    { objects: [found('e')], looked: 3 },
  ]
  const fetch = async (address: string) => Response.json(answers[asked.push(address.replace(/^.*objects/, '')) - 1])
  const admin = new AdminClient({ url: 'http://sync.example', token: 'secret', fetch })
  const objects = await read(admin.objects.find({ source: 'City', user: '*', contains: 'x' }))
  expect(objects.map(({ id }) => id)).toEqual(['a', 'e'])
  expect(asked).toEqual(['?contains=x', '?contains=x&after=b', '?contains=x&after=c+d'])
})

test('refusals are paged by what each page names as the next', async () => {
  const asked: string[] = []
  const answers = [{ refusals: [{ id: 'b' }], next: 'b' }, { refusals: [{ id: 'a' }] }]
  const fetch = async (address: string) => Response.json(answers[asked.push(address.replace(/^.*refusals/, '')) - 1])
  const admin = new AdminClient({ url: 'http://sync.example', token: 'secret', fetch })
  expect((await read(admin.refusals.all({ user: 'ada' }))).map(({ id }) => id)).toEqual(['b', 'a'])
  expect(asked).toEqual(['?user=ada', '?user=ada&after=b'])
})

interface QuerySchemas {
  readonly [group: string]: { readonly [name: string]: { readonly query?: { readonly properties?: object } } }
}

/** The iterators of calls that return a page, by route. */
const ITERATORS: Readonly<Record<string, readonly [group: string, name: string]>> = {
  'users.list': ['users', 'all'],
  'users.page': ['users', 'details'],
  'users.objects': ['objects', 'find'],
  'clients.list': ['clients', 'all'],
  'clients.page': ['clients', 'details'],
  'operations.undecided': ['mutations', 'all'],
  'operations.refusals': ['refusals', 'all'],
  'operations.audit': ['audit', 'all'],
  'system.jobs': ['jobs', 'all'],
}

test('every route with pages has an async iterator', () => {
  const paged = Object.entries(routes).flatMap(([group, lines]) =>
    Object.keys(lines)
      .filter(name => {
        const properties = Object.keys((schemas as unknown as QuerySchemas)[group]?.[name]?.query?.properties ?? {})
        return properties.includes('limit') && (properties.includes('after') || properties.includes('before'))
      })
      .map(name => `${group}.${name}`),
  )
  // This client does not call device routes.
  expect(paged.filter(name => !name.startsWith('device.')).sort()).toEqual(Object.keys(ITERATORS).sort())
  const { admin } = listing([], () => [])
  for (const [group, name] of Object.values(ITERATORS))
    expect((admin as unknown as Record<string, Record<string, unknown>>)[group]?.[name]).toEqual(expect.any(Function))
})
