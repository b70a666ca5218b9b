import { API_TOKEN_HEADER, CLIENT_ID_HEADER, type ClientCreated, type DeviceSession, type Role } from '@godwit/protocol'
import { createSyncServer, defineSource, type SyncServer, type SyncServerOptions } from '@godwit/server'
import type { Store } from '@godwit/store'
import { redisIsThere } from '@godwit/testing'
import { describe } from '@jest/globals'
import { openStore, type StoreName } from '../soak/open-store.js'

export const ADMIN = { login: 'admin', password: 'a long admin password' }

/** The callers: without credentials, with an unknown secret, as each role, and as two users' devices. */
export const CALLERS = [
  'nobody',
  'wrong token',
  'wrong session',
  'reader',
  'operator',
  'plugin',
  'admin',
  'ada',
  'grace',
] as const
export type AttackCallerName = (typeof CALLERS)[number]

export interface AttackCaller {
  readonly name: AttackCallerName
  readonly role: Role
  readonly headers: Readonly<Record<string, string>>
  /** The client id of a device. */
  readonly client?: string
}

export interface AttackOptions extends Omit<SyncServerOptions, 'store' | 'sources'> {
  /** The kind of store. Default: memory. */
  readonly over?: StoreName
  readonly sources?: SyncServerOptions['sources']
}

/** A server on a loopback socket, and its callers. */
export interface AttackWorld {
  readonly server: SyncServer
  readonly store: Store
  readonly url: string
  /** Sends a request unchanged. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Sends a request with a JSON body. */
  call(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: unknown): Promise<Response>
  caller(name: AttackCallerName): Promise<AttackCaller>
  /** Returns true if the server still responds and serves authorized callers; checked after every attack. */
  serves(): Promise<boolean>
  /** Closes the server and its store. */
  close(): Promise<void>
}

const Note = defineSource({ name: 'Note', pollInterval: -1, idempotent: true, create: async () => undefined })
const Shared = defineSource({ name: 'Shared', partition: 'app', pollInterval: -1 })

/** The tested stores; Redis only if installed. */
export const STORE_NAMES: readonly StoreName[] = ['memory', 'SQLite', ...(redisIsThere() ? (['Redis'] as const) : [])]

/** Describes the tests once for each store. */
export function overStores(cells: (open: typeof openWorld) => void): void {
  describe.each(STORE_NAMES)('over %s', over => cells(options => openWorld({ ...options, over })))
}

export async function openWorld({ over = 'memory', ...options }: AttackOptions = {}): Promise<AttackWorld> {
  const { store, close } = await openStore(over, options.clock ? { clock: options.clock } : {})
  return openOn(store, close, options)
}

/** Opens a server on an open store; closing the server closes the store. */
export async function openOn(
  store: Store,
  close: () => Promise<void>,
  { limits, ...options }: Omit<AttackOptions, 'over'> = {},
): Promise<AttackWorld> {
  const server = createSyncServer({
    sources: [Note, Shared],
    admin: ADMIN,
    ...options,
    store,
    limits: { passwordCost: 16, ...limits },
  })
  const { url } = await server.listen({ port: 0 })
  const callers = new Map<AttackCallerName, Promise<AttackCaller>>()
  const world: AttackWorld = {
    server,
    store,
    url,
    ask: (path, init) => fetch(url + path, init),
    call: (method, path, headers = {}, body) =>
      world.ask(path, {
        method,
        headers: { ...headers, accept: 'application/json', ...(body !== undefined && JSON_TYPE) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    caller: name => {
      const known = callers.get(name) ?? makeCaller(world, name)
      callers.set(name, known)
      return known
    },
    serves: async () => {
      const { headers } = await world.caller('admin')
      const answers = await Promise.all([world.ask('/readyz'), world.call('GET', '/rc/v1/users', headers)])
      await Promise.all(answers.map(answer => answer.arrayBuffer()))
      return answers.every(({ status }) => status === 200)
    },
    close: async () => {
      await server.close()
      await close()
    },
  }
  return world
}

export const JSON_TYPE = { 'content-type': 'application/json' } as const

async function makeCaller(world: AttackWorld, name: AttackCallerName): Promise<AttackCaller> {
  if (name === 'nobody') return { name, role: 'open', headers: {} }
  if (name === 'wrong token') return { name, role: 'open', headers: { [API_TOKEN_HEADER]: 'x'.repeat(43) } }
  if (name === 'wrong session') return { name, role: 'open', headers: { authorization: `Bearer ${'x'.repeat(43)}` } }
  if (name === 'admin') return { name, role: 'admin', headers: await tokenOf(world, ADMIN) }
  const { headers: admin } = await world.caller('admin')
  const role = name === 'ada' || name === 'grace' ? 'device' : name
  const attributes = { login: name, password: 'secret' }
  await read(await world.call('POST', '/rc/v1/users', admin, { attributes, role }))
  if (role !== 'device') return { name, role, headers: await tokenOf(world, attributes) }
  const { session } = await read<DeviceSession>(await world.call('POST', '/rc/v1/app/login', {}, attributes))
  const bearer = { authorization: `Bearer ${session}` }
  const created = await read<ClientCreated>(await world.call('POST', '/rc/v1/clients', bearer))
  const client = created.client.client_id
  return { name, role, headers: { ...bearer, [CLIENT_ID_HEADER]: client }, client }
}

async function tokenOf(world: AttackWorld, login: object): Promise<Record<string, string>> {
  const { token } = await read<{ token: string }>(await world.call('POST', '/rc/v1/system/login', {}, login))
  return { [API_TOKEN_HEADER]: token }
}

export const read = async <T>(answer: Response): Promise<T> => (await answer.json()) as T

/** Returns the status and the error code of a refusal. */
export async function refusalOf(answer: Response): Promise<string> {
  const { code = '' } = (await answer.json().catch(() => ({}))) as { code?: string }
  return `${answer.status} ${code}`.trim()
}
