import { request } from 'node:http'
import {
  API_TOKEN_HEADER,
  type Attributes,
  CLIENT_ID_HEADER,
  type ObjectMap,
  type Page,
  type PushOutcomes,
  type SearchResults,
} from '@godwit/protocol'
import { createSyncServer, defineSource } from '@godwit/server'
import { openMemoryStore, type Store } from '@godwit/store'
import { openSqliteStore } from '@godwit/store-sqlite'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { HOSTILE_NAMES, LONE_SURROGATE, mapOf, prototypeMembers, TOO_SHORT_OR_LONG } from '../harness/hostile-names.js'
import { temporaryFolder } from '../harness/stores.js'

const before = prototypeMembers()
const folder = temporaryFolder()
afterAll(() => folder.remove())

const OPEN: readonly (readonly [string, () => Promise<Store>])[] = [
  ['memory', async () => openMemoryStore()],
  ['SQLite', () => openSqliteStore(`${folder.path}/store.sqlite`)],
]

interface HttpAnswer<T = unknown> {
  readonly status: number
  readonly text: string
  json(): T
}

describe.each(OPEN)('hostile names are data, over %s', (_, openStore) => {
  const searched: unknown[] = []
  let url = ''
  let close = async (): Promise<void> => {}
  let admin: Record<string, string>
  let device: Record<string, string>

  beforeAll(async () => {
    const store = await openStore()
    const sources = [
      defineSource<Attributes>({ name: 'Shared', partition: 'app', pollInterval: -1 }),
      defineSource<Attributes>({
        name: 'Own',
        pollInterval: -1,
        create: () => undefined,
        update: () => {},
        delete: () => {},
        search(search) {
          searched.push(search)
          return mapOf(HOSTILE_NAMES, name => ({ name }))
        },
      }),
    ]
    const server = createSyncServer({
      store,
      sources,
      dynamicSources: true,
      admin: { login: 'admin', password: 'admin' },
      limits: { passwordCost: 16 },
    })
    url = (await server.listen({ port: 0 })).url
    close = async () => {
      await server.close()
      await store.close()
    }
    const token = await call('POST', '/rc/v1/system/login', {}, { login: 'admin', password: 'admin' })
    admin = { [API_TOKEN_HEADER]: token.text }
    device = await deviceOf('ada')
  })
  afterAll(() => close())

  /** Sends a request without `fetch`, which would normalize dots in the path. */
  function call<T>(method: string, path: string, headers: object, body?: unknown): Promise<HttpAnswer<T>> {
    const { hostname, port } = new URL(url)
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const requested = request({ hostname, port, path, method, headers: { ...type, ...headers } }, async answer => {
        let text = ''
        for await (const part of answer.setEncoding('utf8')) text += part
        resolve({ status: answer.statusCode ?? 0, text, json: () => JSON.parse(text) as T })
      })
      requested.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  async function deviceOf(login: string): Promise<Record<string, string>> {
    await call('POST', '/rc/v1/users', admin, { attributes: { login, password: login } })
    const { session } = (
      await call<{ session: string }>('POST', '/rc/v1/app/login', {}, { login, password: login })
    ).json()
    const bearer = { authorization: `Bearer ${session}` }
    const made = await call<{ client: { client_id: string } }>('POST', '/rc/v1/clients', bearer, {})
    return { ...bearer, [CLIENT_ID_HEADER]: made.json().client.client_id }
  }

  const part = encodeURIComponent
  const codeOf = (answered: HttpAnswer): string =>
    `${answered.status} ${(JSON.parse(answered.text) as { code: string }).code}`
  const pull = async (source: string, token = ''): Promise<Page> =>
    (await call<Page>('GET', `/app/v1/${part(source)}?p_size=7&token=${token}`, device)).json()

  /** Returns the objects of a complete pass in small pages. */
  async function pulled(source: string): Promise<ObjectMap> {
    const objects: [string, Attributes][] = []
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page: Page = await pull(source, token)
      objects.push(...Object.entries(page.insert ?? {}))
      token = page.more ? page.token : undefined
    }
    return Object.fromEntries(objects)
  }

  test('as ids and attributes that a backend pushes', async () => {
    const objects = mapOf(HOSTILE_NAMES, id => mapOf(HOSTILE_NAMES, name => `${name} of ${id}`))
    const push = (more: object) => call('POST', '/app/v1/Shared/push_objects', admin, { user_id: '*', ...more })
    expect((await push({ objects })).json()).toEqual({
      version: 1,
      changed: HOSTILE_NAMES.length,
      count: HOSTILE_NAMES.length,
    })
    expect(await pulled('Shared')).toEqual(objects)
    const md = await call('GET', '/rc/v1/users/*/sources/Shared/docs/md', admin)
    expect(md.json()).toEqual(objects)
    for (const id of TOO_SHORT_OR_LONG)
      expect(codeOf(await push({ objects: { fine: {}, [id]: {} } }))).toBe('422 body_invalid')
    const fast = {
      user_id: '*',
      delete_data: mapOf(HOSTILE_NAMES, () => mapOf(HOSTILE_NAMES, () => '')),
      data: mapOf(HOSTILE_NAMES, name => ({ name })),
    }
    await call('POST', '/app/v1/Shared/fast_update', admin, fast)
    expect(await pulled('Shared')).toEqual(mapOf(HOSTILE_NAMES, name => ({ name })))
    await call('POST', '/app/v1/Shared/push_deletes', admin, { user_id: '*', objects: HOSTILE_NAMES.slice(1) })
    expect(await pulled('Shared')).toEqual(mapOf(HOSTILE_NAMES.slice(0, 1), name => ({ name })))
  })

  test('as half a surrogate pair, which every route refuses', async () => {
    const halves: object[] = [
      { [LONE_SURROGATE]: {} },
      { a: { [LONE_SURROGATE]: 1 } },
      { a: { n: LONE_SURROGATE } },
      { a: { n: [{ [LONE_SURROGATE]: 1 }] } },
    ]
    for (const objects of halves) {
      const body = { user_id: 'ada', objects }
      expect(codeOf(await call('POST', '/app/v1/Halves/push_objects', admin, body))).toBe('422 body_invalid')
    }
    expect(await pulled('Halves')).toEqual({})
    expect(codeOf(await call('POST', '/rc/v1/store/half', admin, { data: LONE_SURROGATE }))).toBe('422 body_invalid')
    expect(codeOf(await call('GET', '/rc/v1/users/%ED%A0%80', admin))).toMatch(/^4/)
    expect(
      codeOf(await call('POST', '/rc/v1/users', admin, { attributes: { login: LONE_SURROGATE, password: 'x' } })),
    ).toBe('422 body_invalid')
  })

  test('as ids, attributes and old values that a device pushes', async () => {
    const { epoch } = await pull('Own')
    let number = 0
    const send = (mutations: readonly object[]) =>
      call<PushOutcomes>('POST', '/app/v1/Own', device, {
        epoch,
        acknowledged: 0,
        mutations: mutations.map(mutation => ({ number: ++number, key: `a key of sixteen ${number}`, ...mutation })),
      })
    const attributes = mapOf(HOSTILE_NAMES, name => name)
    const made = (await send(HOSTILE_NAMES.map(object => ({ operation: 'create', object, attributes })))).json()
    expect(made.outcomes.map(({ status }) => status)).toEqual(HOSTILE_NAMES.map(() => 'applied'))
    expect(await pulled('Own')).toEqual(mapOf(HOSTILE_NAMES, () => attributes))
    const changed = mapOf(HOSTILE_NAMES, () => 'mine')
    const update = (object: string) => ({ operation: 'update', object, attributes: changed, was: attributes, seen: 1 })
    await send(HOSTILE_NAMES.map(update))
    expect(await pulled('Own')).toEqual(mapOf(HOSTILE_NAMES, () => changed))
    await send(HOSTILE_NAMES.map(object => ({ operation: 'delete', object, was: changed, seen: 2 })))
    expect(await pulled('Own')).toEqual({})
    for (const object of TOO_SHORT_OR_LONG) {
      expect(codeOf(await send([{ operation: 'create', object, attributes: {} }]))).toBe('422 body_invalid')
      number--
    }
  })

  test('as what is searched for, and found', async () => {
    for (const search of HOSTILE_NAMES) {
      const found = await call<SearchResults>('POST', '/rc/v1/app/search', device, { sources: ['Own'], search })
      expect(found.json().results['Own']?.objects).toEqual(mapOf(HOSTILE_NAMES, name => ({ name })))
    }
    expect(searched).toEqual(HOSTILE_NAMES)
    const foreign = await call<SearchResults>('POST', '/rc/v1/app/search', device, {
      sources: ['__proto__'],
      search: '',
    })
    expect(Object.keys(foreign.json().results)).toEqual(['__proto__'])
  })

  test.each(['/rc/v1/store', '/rc/v1/users/ada/sources/Own/docs'])('as documents below %s', async place => {
    for (const name of HOSTILE_NAMES) {
      const path = `${place}/${part(name)}`
      expect((await call('POST', path, admin, { data: { [name]: { [name]: name } } })).status).toBe(200)
      expect((await call('POST', path, admin, { data: { more: { [name]: name } }, append: true })).status).toBe(200)
      expect((await call('GET', path, admin)).json()).toEqual({ [name]: { [name]: name }, more: { [name]: name } })
    }
    for (const name of HOSTILE_NAMES) {
      const path = `${place}/${part(name)}`
      await call('POST', path, admin, { data: `text of ${name}` })
      expect((await call('GET', path, admin)).text).toBe(`text of ${name}`)
    }
  })

  test('as logins of users, their attributes and their partitions', async () => {
    const reserved = ['*', '.', '..', '__shared__', '']
    const logins = HOSTILE_NAMES.filter(login => !reserved.includes(login))
    const create = (login: string) =>
      call('POST', '/rc/v1/users', admin, { attributes: { [login]: login, login, password: 'x' } })
    for (const login of logins) {
      expect((await create(login)).json()).toEqual({ login })
      const read = await call<{ attributes: object }>('GET', `/rc/v1/users/${part(login)}`, admin)
      expect(read.json()).toMatchObject({ login, attributes: { [login]: login } })
      const body = { user_id: login, objects: { of: { login } } }
      expect((await call('POST', '/app/v1/Own/push_objects', admin, body)).status).toBe(200)
    }
    for (const login of logins) {
      const md = await call('GET', `/rc/v1/users/${part(login)}/sources/Own/docs/md`, admin)
      expect(md.json()).toEqual({ of: { login } })
    }
    for (const login of reserved) expect(codeOf(await create(login))).toBe('422 name_reserved')
    for (const login of TOO_SHORT_OR_LONG.slice(1)) expect(codeOf(await create(login))).toBe('422 body_invalid')
    const ping = await call<{ skipped: readonly { user: string }[] }>('POST', '/rc/v1/users/ping', admin, {
      user_id: [...HOSTILE_NAMES],
      sources: 'Own',
      message: HOSTILE_NAMES.join(''),
    })
    expect(
      ping
        .json()
        .skipped.map(({ user }) => user)
        .sort(),
    ).toEqual([...HOSTILE_NAMES].sort())
    for (const login of logins) expect((await call('DELETE', `/rc/v1/users/${part(login)}`, admin)).status).toBe(200)
    expect((await call('GET', '/rc/v1/users', admin)).json()).toEqual(['ada'])
  })

  test('as names of sources, also of new ones', async () => {
    for (const name of HOSTILE_NAMES) {
      const pushed = await call('POST', `/app/v1/${part(name)}/push_objects`, admin, {
        user_id: 'ada',
        objects: { [name]: { name } },
      })
      const mayBe = name.length <= 128 && !name.includes('/')
      expect(mayBe ? pushed.status : codeOf(pushed)).toBe(mayBe ? 200 : '422 value_not_allowed')
      if (!mayBe) continue
      expect(await pulled(name)).toEqual({ [name]: { name } })
      expect((await call('GET', `/rc/v1/sources/${part(name)}`, admin)).json()).toMatchObject({ name })
    }
    const unknown = await call('POST', '/rc/v1/users/ping', admin, { user_id: 'ada', sources: ['__proto__x'] })
    expect(codeOf(unknown)).toBe('422 value_not_allowed')
  })

  test('as ids of clients that do not exist', async () => {
    for (const id of HOSTILE_NAMES) {
      expect(codeOf(await call('GET', `/rc/v1/clients/${part(id)}`, admin))).toBe('404 client_not_found')
      expect(codeOf(await call('DELETE', `/rc/v1/users/ada/clients/${part(id)}`, admin))).toBe('404 client_not_found')
      const path = `/rc/v1/clients/${part(id)}/sources/Own/docs/cd`
      expect(codeOf(await call('GET', path, admin))).toBe('404 client_not_found')
      expect(codeOf(await call('POST', `/rc/v1/clients/${part(id)}/reset`, device, {}))).toBe('404 client_not_found')
      if (!/^[ -~]+$/.test(id)) continue
      const named = { ...device, [CLIENT_ID_HEADER]: id }
      expect(codeOf(await call('GET', '/app/v1/Own', named))).toMatch(/^(404 client_not_found|400 client_missing)$/)
    }
  })

  test('as patterns and keys of statistics', async () => {
    for (const name of HOSTILE_NAMES.filter(name => name.length <= 256)) {
      const listed = await call<readonly string[]>('GET', `/rc/v1/system/stats?names=${part(name)}`, admin)
      expect(listed.status).toBe(200)
      if (name !== '*') expect(listed.json()).toEqual([])
      const read = await call('GET', `/rc/v1/system/stats?metric=${part(name)}&start=0&finish=-1`, admin)
      expect(codeOf(read)).toBe('404 metric_not_found')
    }
  })

  test('and no inherited member has changed', () => {
    expect(prototypeMembers()).toBe(before)
    expect(Object.keys({})).toEqual([])
  })
})
