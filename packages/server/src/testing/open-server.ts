import {
  API_TOKEN_HEADER,
  type Attributes,
  CLIENT_ID_HEADER,
  type ClientCreated,
  type DeviceSession,
} from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryStore, type Store } from '@godwit/store'
import { createSyncServer, type SyncServer } from '../start/create-sync-server.js'
import type { SyncServerOptions } from '../start/options.js'

export const ADMIN = { login: 'admin', password: 'a long admin password' }

export const City = defineSource<Attributes>({ name: 'City', partition: 'app', pollInterval: -1 })
export const Visit = defineSource<Attributes>({ name: 'Visit', pollInterval: -1 })

/** A server under test, with requests by path. */
export interface TestServer {
  readonly server: SyncServer
  readonly store: Store
  /** Sends a request unchanged. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Sends a JSON request with these headers. */
  call(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Response>
  /** Returns the headers of an API user; default: the admin. */
  as(login?: string, password?: string): Promise<Record<string, string>>
  /** Returns the headers of a new device of a user, who is created if missing. */
  device(login: string): Promise<{ headers: Record<string, string>; session: DeviceSession; client: string }>
}

/** Opens a server over a memory store, called in process, with a low password cost. */
export function openServer(options: Partial<SyncServerOptions> = {}): TestServer {
  const store = options.store ?? openMemoryStore(options.clock ? { clock: options.clock } : {})
  const limits = { passwordCost: 16, ...options.limits }
  const server = createSyncServer({ sources: [City, Visit], admin: ADMIN, ...options, store, limits })
  return testServer(server, store, (path, init) => server.fetch(`http://sync.test${path}`, init))
}

/** Opens the same server on a socket. Close it when done. */
export async function openListening(options: Partial<SyncServerOptions> = {}): Promise<TestServer & { url: string }> {
  const { server, store } = openServer(options)
  const { url } = await server.listen({ port: 0 })
  return { ...testServer(server, store, (path, init) => fetch(url + path, init)), url }
}

/** Both ways to reach a server, for `describe.each`. */
export const EDGES: readonly (readonly [string, (options?: Partial<SyncServerOptions>) => Promise<TestServer>])[] = [
  ['in process', async options => openServer(options)],
  ['over a socket', openListening],
]

/** Returns the helpers over a request function. */
export function testServer(server: SyncServer, store: Store, ask: TestServer['ask']): TestServer {
  const call: TestServer['call'] = (method, path, { body, headers = {} } = {}) =>
    ask(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const as: TestServer['as'] = async (login = ADMIN.login, password = ADMIN.password) => {
    const answer = await call('POST', '/rc/v1/system/login', { body: { login, password } })
    return { [API_TOKEN_HEADER]: await answer.text() }
  }
  const device: TestServer['device'] = async login => {
    const body = { attributes: { login, password: 'secret' } }
    await call('POST', '/rc/v1/users', { body, headers: await as() })
    const session = await json<DeviceSession>(
      await call('POST', '/rc/v1/app/login', { body: { login, password: 'secret' } }),
    )
    const bearer = { authorization: `Bearer ${session.session}` }
    const created = await call('POST', '/rc/v1/clients', { headers: bearer })
    const { client_id: client } = (await json<ClientCreated>(created)).client
    return { headers: { ...bearer, [CLIENT_ID_HEADER]: client }, session, client }
  }
  return { server, store, ask, call, as, device }
}

export const json = async <T>(answer: Response): Promise<T> => (await answer.json()) as T

/** Returns the status and code of an error, or the status alone. */
export async function failure(answer: Response): Promise<string> {
  const { code = '' } = await json<{ code?: string }>(answer)
  return `${answer.status} ${code}`.trim()
}
