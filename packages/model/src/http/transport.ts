import {
  type BlobUpload,
  type BlobUploaded,
  type BulkData,
  type BulkRequest,
  CLIENT_ID_HEADER,
  type ClientCreated,
  type ClientRegistration,
  type DeviceLogin,
  type DeviceSession,
  fillPath,
  type GetObjects,
  type GotObjects,
  HINT_HEADER,
  type ObjectId,
  type PartitionPages,
  type PartitionParameters,
  type PullBody,
  type Push,
  type PushKey,
  type PushOutcomes,
  QUERY_HEADER,
  type RouteLine,
  routes,
  type Search,
  type SearchResults,
  type Versions,
  type VersionsQuery,
} from '@godwit/protocol'
import type { Trace } from '../live/trace.js'
import { bytesOf, type HttpAnswer, isPage, type SendRequest } from '../platform/http-response.js'
import { checkOrigin } from './check-origin.js'
import { deadlineOf } from './deadline.js'
import { notTheServer, problemOf, withOfflineErrors } from './failures.js'
import { type ReadPage, readPage } from './read-page.js'
import {
  type AnswerShape,
  BULK,
  CLIENT,
  checkAnswer,
  FOUND,
  OBJECTS,
  PAGE,
  PAGES,
  PUSHED,
  SESSION,
  UPLOADED,
  VERSIONS,
} from './response-shapes.js'
import { noServer } from './server-address.js'
import { tracedRequest } from './traced-request.js'

export interface TransportOptions {
  /** The server's URL, optionally with a path before every route. Undefined: every call is refused. */
  readonly server: string | undefined
  readonly fetch: typeof fetch
  /** Fetches responses that are read completely. */
  readonly whole: SendRequest<HttpAnswer>
  /** Fetches long-lived responses. */
  readonly stream: typeof fetch
  /** Requests pages by POST: browsers send a preflight for each new URL of another origin. */
  readonly pullsByBody?: boolean | undefined
  /** Milliseconds that one request may take. */
  readonly timeoutMilliseconds: number
  /** Reports requests, for tools. */
  readonly trace?: Trace
}

/** A blob, and the offset to read from. */
export interface BlobFrom {
  readonly object: ObjectId
  readonly hash: string
  readonly from: number
  readonly parameters?: PartitionParameters
}

type PullQuery = { token?: string | undefined; p_size: number; acknowledged: number } & Record<
  string,
  string | number | undefined
>

const EVENTS_PATH = '/rc/v1/app/events'

interface RequestParts {
  readonly path?: string
  readonly query?: { readonly [name: string]: string | number | undefined }
  readonly body?: unknown
  /** The body, instead of JSON. */
  readonly bytes?: Uint8Array
  readonly headers?: { readonly [name: string]: string }
  readonly session?: string | null
  readonly client?: string | null
  readonly signal?: AbortSignal | undefined
}

/** The session, client and abort signal of a request. */
export type RequestIdentity = Pick<RequestParts, 'session' | 'client' | 'signal'>

/** The server's routes for devices: JSON over fetch. Every failure is a `SyncError`. */
export class Transport {
  readonly #options: TransportOptions
  #isReachable: boolean | null = null

  constructor(options: TransportOptions) {
    this.#options = options
  }

  /** Whether the last request was answered, even with an error; null before the first, and after the event stream broke off. */
  get isReachable(): boolean | null {
    return this.#isReachable
  }

  /** A long-lived answer broke off: whether the server still answers is unknown until the next request. */
  brokeOff(): void {
    if (this.#isReachable) this.#isReachable = null
  }

  login(body: DeviceLogin): Promise<DeviceSession> {
    return this.#call(routes.device.login, { body }, SESSION)
  }

  logout(asking: RequestIdentity): Promise<unknown> {
    return this.#call(routes.device.logout, { ...asking, body: {} })
  }

  createClient(asking: RequestIdentity): Promise<ClientCreated> {
    return this.#call(routes.device.createClient, { ...asking, body: {} }, CLIENT)
  }

  resetClient(client: string, asking: RequestIdentity): Promise<unknown> {
    return this.#call(routes.device.resetClient, {
      ...asking,
      path: fillPath(routes.device.resetClient.path, { client_id: client }),
      body: {},
    })
  }

  registerClient(client: string, registration: ClientRegistration, asking: RequestIdentity): Promise<unknown> {
    return this.#call(routes.device.registerClient, {
      ...asking,
      path: fillPath(routes.device.registerClient.path, { client_id: client }),
      body: registration,
    })
  }

  pushKey(asking: RequestIdentity): Promise<PushKey> {
    return this.#call(routes.device.pushKey, asking)
  }

  pull(
    source: string,
    query: PullQuery,
    { isHinted, ...asking }: RequestIdentity & { readonly isHinted?: boolean },
  ): Promise<ReadPage> {
    const route = this.#options.pullsByBody ? routes.device.pullByBody : routes.device.pull
    const path = fillPath(route.path, { source_name: source })
    const options = this.#options.pullsByBody ? { body: pullBody(query) } : { query }
    return this.#request(
      route,
      { ...asking, path, ...options, ...(isHinted && { headers: { [HINT_HEADER]: '1' } }) },
      async answer => readPage(await bytesOf(answer)),
      PAGE,
    )
  }

  /** Pulls partitions of a source with `by` in one request. */
  pullMany(
    source: string,
    body: Required<Pick<PullBody, 'pulls'>> & Pick<PullBody, 'subscribed'>,
    { isHinted, ...asking }: RequestIdentity & { readonly isHinted?: boolean },
  ): Promise<PartitionPages> {
    const route = routes.device.pullByBody
    const path = fillPath(route.path, { source_name: source })
    const headers = isHinted && { headers: { [HINT_HEADER]: '1' } }
    return this.#call(route, { ...asking, path, body, ...headers }, PAGES)
  }

  push(source: string, body: Push, asking: RequestIdentity): Promise<PushOutcomes> {
    const path = fillPath(routes.device.push.path, { source_name: source })
    return this.#call(routes.device.push, { ...asking, path, body }, PUSHED)
  }

  versions(source: string, query: VersionsQuery, asking: RequestIdentity): Promise<Versions> {
    const path = fillPath(routes.device.versions.path, { source_name: source })
    return this.#call(routes.device.versions, { ...asking, path, query: { ...query } }, VERSIONS)
  }

  objects(source: string, body: GetObjects, asking: RequestIdentity): Promise<GotObjects> {
    const path = fillPath(routes.device.objects.path, { source_name: source })
    return this.#call(routes.device.objects, { ...asking, path, body }, OBJECTS)
  }

  uploadBlob(source: string, query: BlobUpload, bytes: Uint8Array, asking: RequestIdentity): Promise<BlobUploaded> {
    const path = fillPath(routes.device.uploadBlob.path, { source_name: source })
    // In the URL, it would cause a preflight for every part from a page of another origin.
    const headers = { [QUERY_HEADER]: queryText({ ...query }) }
    return this.#call(routes.device.uploadBlob, { ...asking, path, headers, bytes }, UPLOADED)
  }

  /** Returns the open response, whose body the caller reads. */
  readBlob(source: string, { object, hash, from, parameters }: BlobFrom, asking: RequestIdentity): Promise<Response> {
    const path = fillPath(routes.device.readBlob.path, { source_name: source, hash })
    return this.#openFile(routes.device.readBlob, {
      ...asking,
      path,
      query: { object, ...(parameters && { parameters: JSON.stringify(parameters) }) },
      headers: rangeOf(from, hash),
    })
  }

  bulkData(body: BulkRequest, asking: RequestIdentity): Promise<BulkData> {
    return this.#call(routes.device.bulkData, { ...asking, body }, BULK)
  }

  /** Returns the open response. */
  bulkFile(
    { url, hash, from }: { url: string; hash: string; from: number },
    asking: RequestIdentity,
  ): Promise<Response> {
    return this.#openFile(routes.device.bulkFile, {
      ...asking,
      path: url,
      headers: rangeOf(from, hash),
    })
  }

  search(body: Search, asking: RequestIdentity): Promise<SearchResults> {
    return this.#call(routes.device.search, { ...asking, body }, FOUND)
  }

  /** Opens the event stream, without a timeout. */
  async events({ session, client, signal }: RequestIdentity): Promise<Response> {
    const { stream } = this.#options
    const server = this.#server
    const request: RequestInit = {
      headers: {
        accept: 'text/event-stream',
        ...(session && { authorization: `Bearer ${session}` }),
        ...(client && { [CLIENT_ID_HEADER]: client }),
      },
      ...(signal && { signal }),
    }
    const response = await this.#recordReachability(() =>
      withOfflineErrors(server, () => stream(server.replace(/\/+$/, '') + EVENTS_PATH, request)),
    )
    checkOrigin(server, response)
    if (!response.ok) throw await problemOf(response)
    if (isPage(response)) throw notTheServer(server, 'a web page')
    return response
  }

  get #server(): string {
    const { server } = this.#options
    if (server === undefined) throw noServer()
    return server
  }

  #call<T>(route: RouteLine, call: RequestParts, expected: AnswerShape<T> = {}): Promise<T> {
    return this.#request(route, call, response => response.json() as Promise<T>, expected)
  }

  async #request<T>(
    route: RouteLine,
    call: RequestParts,
    read: (answer: HttpAnswer) => Promise<T>,
    expected: AnswerShape<T>,
  ): Promise<T> {
    const { whole, timeoutMilliseconds } = this.#options
    const server = this.#server
    const deadline = deadlineOf(timeoutMilliseconds, call.signal)
    try {
      return await this.#trace(route, call, async counted => {
        const answer = counted(await this.#open(whole, route, { ...call, signal: deadline.signal }))
        return checkAnswer(server, await withOfflineErrors(server, () => read(answer)), expected)
      })
    } finally {
      deadline.release()
    }
  }

  /** Opens a file for the caller to read; its deadline ends by itself. */
  #openFile(route: RouteLine, call: RequestParts): Promise<Response> {
    const { signal } = deadlineOf(this.#options.timeoutMilliseconds, call.signal)
    return this.#trace(route, call, async counted => {
      const answer = await this.#open(this.#options.fetch, route, { ...call, signal })
      counted(answer)
      return answer
    })
  }

  #trace<T>(
    { method, path }: RouteLine,
    { path: own = path, body, bytes }: RequestParts,
    run: (counted: (answer: HttpAnswer) => HttpAnswer) => Promise<T>,
  ): Promise<T> {
    const { trace } = this.#options
    if (!trace?.isOn) return run(answer => answer)
    const sent = bytes?.length ?? (body === undefined ? 0 : JSON.stringify(body).length)
    return tracedRequest(trace, { method, path: own, sent }, run)
  }

  async #open<T extends HttpAnswer>(
    ask: SendRequest<T>,
    route: RouteLine,
    { path = route.path, query = {}, body, bytes, headers, session, client, signal }: RequestParts,
  ): Promise<T> {
    const server = this.#server
    const request: RequestInit = {
      method: route.method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bytes && { 'content-type': 'application/octet-stream' }),
        ...(session && { authorization: `Bearer ${session}` }),
        ...(client && { [CLIENT_ID_HEADER]: client }),
        ...headers,
      },
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bytes && { body: bytes as Uint8Array<ArrayBuffer> }),
    }
    const response = await this.#recordReachability(() =>
      withOfflineErrors(server, () => ask(server.replace(/\/+$/, '') + path + searchOf(query), request)),
    )
    checkOrigin(server, response)
    if (!response.ok) throw await problemOf(response)
    return response
  }

  async #recordReachability<T extends HttpAnswer>(request: () => Promise<T>): Promise<T> {
    try {
      const answer = await request()
      this.#isReachable = answer.status < 500
      return answer
    } catch (error) {
      this.#isReachable = false
      throw error
    }
  }
}

/** Separates the app's parameters from those of the pull. */
function pullBody({ token, p_size, acknowledged, pass_through, stored_token, ...parameters }: PullQuery): PullBody {
  const own = { p_size, acknowledged, ...(token !== undefined && { token }) }
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return {
    ...own,
    ...(pass_through === 'true' && { pass_through: true }),
    ...(stored_token !== undefined && { stored_token: String(stored_token) }),
    ...(given.length > 0 && { parameters: Object.fromEntries(given) as { readonly [name: string]: string } }),
  }
}

/** Requests bytes from an offset, if the file is unchanged. */
const rangeOf = (from: number, hash: string) => ({
  accept: 'application/octet-stream',
  ...(from > 0 && { range: `bytes=${from}-`, 'if-range': `"${hash}"` }),
})

function queryText(query: RequestParts['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return new URLSearchParams(given).toString()
}

const searchOf = (query: RequestParts['query']): string => queryText(query).replace(/^(?=.)/, '?')
