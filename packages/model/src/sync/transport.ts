import {
  CLIENT_ID_HEADER,
  type ClientCreated,
  type DeviceSession,
  fillPath,
  type GotObjects,
  type ObjectId,
  type Page,
  type Push,
  type Pushed,
  type RouteLine,
  routes,
  type Search,
  type SearchResults,
  type Versions,
  type VersionsQuery,
} from '@godwit/protocol'
import { problemOf, reached } from './failures.js'

export interface TransportOptions {
  /** Where the server is: `https://host:port`, without a path or with one that goes before every route. */
  readonly server: string
  readonly fetch: typeof fetch
  /** Fetches what lasts. */
  readonly stream: typeof fetch
  /** How long one request may take. */
  readonly timeoutMilliseconds: number
}

const EVENTS_PATH = '/rc/v1/app/events'

interface Call {
  readonly path?: string
  readonly query?: { readonly [name: string]: string | number | undefined }
  readonly body?: unknown
  readonly session?: string | null
  readonly client?: string | null
  readonly signal?: AbortSignal | undefined
}

/** Who asks, and until when. */
export type Asking = Pick<Call, 'session' | 'client' | 'signal'>

/** The server, as a device calls it: JSON over fetch. Whatever goes wrong is a `SyncError`. */
export class Transport {
  readonly #options: TransportOptions

  constructor(options: TransportOptions) {
    this.#options = options
  }

  login(login: string, password: string): Promise<DeviceSession> {
    return this.#call(routes.device.login, { body: { login, password } })
  }

  logout(asking: Asking): Promise<unknown> {
    return this.#call(routes.device.logout, { ...asking, body: {} })
  }

  createClient(asking: Asking): Promise<ClientCreated> {
    return this.#call(routes.device.createClient, { ...asking, body: {} })
  }

  resetClient(client: string, asking: Asking): Promise<unknown> {
    return this.#call(routes.device.resetClient, {
      ...asking,
      path: fillPath(routes.device.resetClient.path, { client_id: client }),
      body: {},
    })
  }

  pull(
    source: string,
    query: { token?: string | undefined; p_size: number; acknowledged: number } & Record<
      string,
      string | number | undefined
    >,
    asking: Asking,
  ): Promise<Page> {
    return this.#call(routes.device.pull, {
      ...asking,
      path: fillPath(routes.device.pull.path, { source_name: source }),
      query,
    })
  }

  push(source: string, body: Push, asking: Asking): Promise<Pushed> {
    return this.#call(routes.device.push, {
      ...asking,
      path: fillPath(routes.device.push.path, { source_name: source }),
      body,
    })
  }

  versions(source: string, query: VersionsQuery, asking: Asking): Promise<Versions> {
    const path = fillPath(routes.device.versions.path, { source_name: source })
    return this.#call(routes.device.versions, { ...asking, path, query: { ...query } })
  }

  objects(source: string, ids: readonly ObjectId[], asking: Asking): Promise<GotObjects> {
    const path = fillPath(routes.device.objects.path, { source_name: source })
    return this.#call(routes.device.objects, { ...asking, path, body: { ids } })
  }

  search(body: Search, asking: Asking): Promise<SearchResults> {
    return this.#call(routes.device.search, { ...asking, body })
  }

  /** The stream of events, open. No time-out: it is meant to last. */
  async events({ session, client, signal }: Asking): Promise<Response> {
    const { stream, server } = this.#options
    const request: RequestInit = {
      headers: {
        accept: 'text/event-stream',
        ...(session && { authorization: `Bearer ${session}` }),
        ...(client && { [CLIENT_ID_HEADER]: client }),
      },
      ...(signal && { signal }),
    }
    const response = await reached(server, () => stream(server.replace(/\/+$/, '') + EVENTS_PATH, request))
    if (!response.ok) throw await problemOf(response)
    return response
  }

  async #call<T>(route: RouteLine, { path = route.path, query = {}, body, session, client, signal }: Call): Promise<T> {
    const { fetch, server, timeoutMilliseconds } = this.#options
    const timeout = AbortSignal.timeout(timeoutMilliseconds)
    const request: RequestInit = {
      method: route.method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(session && { authorization: `Bearer ${session}` }),
        ...(client && { [CLIENT_ID_HEADER]: client }),
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await reached(server, () => fetch(server.replace(/\/+$/, '') + path + queryText(query), request))
    if (!response.ok) throw await problemOf(response)
    return reached(server, () => response.json() as Promise<T>)
  }
}

function queryText(query: Call['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
