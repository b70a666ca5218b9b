import {
  type Attributes,
  CLIENT_ID_HEADER,
  HINT_HEADER,
  type Mutation,
  type ObjectMap,
  type PartitionParameters,
  type PartitionPull,
  type PullBody,
  type Push,
  parametersName,
  type Search,
  type SearchResult,
  type SourceError,
  sourceKeyText,
} from '@godwit/protocol'
import { checksumOf, FakeCollection } from './fake/collection.js'
import { type DecideContext, type Decision, decide } from './fake/decide.js'
import { EventStreams } from './fake/event-streams.js'
import { type FakePartitions, type PulledPartitions, pullPartitions } from './fake/fake-partitions.js'
import { problem } from './fake/fake-problem.js'
import { objects, pageFor, pull, versions } from './fake/fake-pull.js'
import { push } from './fake/fake-push.js'

export type { Decision }

/** An in-process server for version 4 of the device protocol, with hooks to simulate failures. */
export class FakeServer {
  readonly collections = new Map<string, FakeCollection>()
  readonly clients = new Map<string, string>()
  readonly sessions = new Map<string, string>()
  readonly events = new EventStreams()
  /** Tokens that were exchanged for sessions, in order. */
  readonly exchanged: string[] = []
  readonly refusedTokens = new Set<string>()
  /** The end of new sessions. */
  sessionEnd = '2100-01-01T00:00:00Z'
  /** All requests received, such as `POST /app/v1/Visit`. */
  readonly requests: string[] = []
  /** The sources of pulls started by a hint. */
  readonly hinted: string[] = []
  /** The query string of every pull. */
  readonly queries: URLSearchParams[] = []
  readonly pushes: { readonly source: string; readonly push: Push }[] = []
  /** Temporary ids of all sources that are linked to a real id. */
  readonly linked = new Set<string>()
  /** The partitions of sources with `by`. */
  readonly partitions = new Map<string, FakePartitions>()
  /** The partitions of every pull of a source with `by`. */
  readonly pulls: (readonly PartitionPull[])[] = []
  /** Errors of the last query, by source. */
  readonly failing = new Map<string, SourceError>()
  /** Since when the feeds of sources are silent. */
  readonly staleSince = new Map<string, string>()
  /** Search results by source. */
  readonly found = new Map<string, ObjectMap>()
  /** The number of results of a source in one reply. */
  foundAtOnce = Number.POSITIVE_INFINITY
  decide: (mutation: Mutation, source: string) => Decision = () => ({})
  /** Called before a request is served. May throw (no network) or return a response instead. */
  before: (request: string) => Response | undefined = () => undefined
  /** Called after a request has been served. May throw (the response is lost). */
  after: (request: string) => void | Promise<void> | undefined = () => undefined
  nonce = 'n1'
  /** Returns the checksum of a collection; a test can replace it by a wrong one. */
  sum: (collection: Pick<FakeCollection, 'rows'>) => string = checksumOf
  /** Maximum number of outcomes per page. */
  outcomesAPage = 1000
  /** Maximum number of objects that one answer gives by their ids. */
  objectsAnAnswer = 500
  readonly #decisions = new Map<string, Decision>()
  #count = 0

  readonly id = (prefix: string): string => {
    this.#count++
    return `${prefix}${this.#count}`
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    const request = `${init?.method ?? 'GET'} ${url.pathname}`
    this.requests.push(request)
    const answer = this.before(request) ?? this.#serve(url, init ?? {})
    const served = this.after(request)
    if (served) await Promise.race([served, ...rejectionOnAbort(init?.signal)])
    return answer
  }

  collection(source: string): FakeCollection {
    const collection = this.collections.get(source) ?? new FakeCollection(this.id)
    this.collections.set(source, collection)
    return collection
  }

  /** The collection of one partition. */
  partition(source: string, parameters: PartitionParameters): FakeCollection {
    return this.collection(sourceKeyText({ source, parameters }))
  }

  /** Writes objects as a backend does: one batch with one version. `null` removes an object. */
  write(source: string, objects: { readonly [id: string]: Attributes | null }): void {
    this.collection(source).write(objects)
  }

  live(source: string): ObjectMap {
    return this.collection(source).live()
  }

  /** Returns the epoch and head of a collection, as in events. */
  head(source: string): { readonly epoch: string; readonly head: number } {
    const { epoch, head } = this.collection(source)
    return { epoch, head }
  }

  /** Returns the data of a `check` event. */
  check(): object {
    return {
      heads: Object.fromEntries([...this.collections.keys()].map(source => [source, this.head(source)])),
      within: 0,
    }
  }

  /** Recreates a collection with a new epoch, which invalidates all data on devices. */
  drop(source: string, objects: ObjectMap = {}): void {
    this.collections.delete(source)
    this.write(source, objects)
  }

  /** Returns a function that restores the collection's current state, with its epoch and journals. */
  backup(source: string): () => void {
    const copy = this.collection(source).copy()
    return () => void this.collections.set(source, copy.copy())
  }

  /** Deletes the journals of all clients, as if the server had lost its latest writes. */
  forgetJournal(source: string): void {
    this.collection(source).journals.clear()
  }

  decideQueued(source: string): void {
    const deciding = { ...this.#deciding(source), isLater: true }
    for (const journal of deciding.collection.journals.values())
      for (const entry of journal.mutations.values()) if (!entry.decided) decide(deciding, journal, entry)
  }

  #serve(url: URL, init: RequestInit): Response {
    const headers = new Headers(init.headers)
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
    if (url.pathname === '/rc/v1/app/login')
      return typeof body['token'] === 'string'
        ? this.#exchange(body['token'])
        : this.#login(String(body['login']), String(body['password']))
    const user = this.sessions.get(headers.get('authorization')?.replace('Bearer ', '') ?? '')
    if (!user) return problem(401, 'session_missing')
    if (url.pathname === '/rc/v1/app/logout') return Response.json({})
    if (url.pathname === '/rc/v1/app/search') return this.#search(body as unknown as Search)
    if (url.pathname === '/rc/v1/clients') return this.#newClient(user)
    const client = headers.get(CLIENT_ID_HEADER) ?? ''
    if (this.clients.get(client) !== user) return problem(404, 'client_not_found')
    if (url.pathname === '/rc/v1/app/events') return this.events.listen(init.signal ?? undefined, this.check())
    const [name = '', question] = url.pathname.replace('/app/v1/', '').split('/')
    const source = decodeURIComponent(name)
    const partitions = this.partitions.get(source)
    if (partitions && question === 'pull')
      return pullPartitions(this.#partitioned(source, partitions, client), body as unknown as PullBody)
    if (partitions && init.method === 'POST' && question === undefined)
      return this.#pushPartition(source, partitions, client, body as unknown as Push)
    const named = body['parameters'] ?? JSON.parse(url.searchParams.get('parameters') ?? 'null')
    const parameters = named as PartitionParameters | null
    const collection = partitions && parameters ? this.partition(source, parameters) : this.collection(source)
    if (question === 'versions') return versions(collection, url.searchParams)
    if (question === 'objects') return objects(collection, body['ids'] as string[], this.objectsAnAnswer)
    if (init.method === 'POST') return this.#push(source, client, body as unknown as Push)
    this.queries.push(url.searchParams)
    if (headers.get(HINT_HEADER) === '1') this.hinted.push(source)
    const staleSince = this.staleSince.get(source)
    return pull(
      { ...this.#pulling(), error: this.failing.get(source), staleSince },
      collection,
      client,
      url.searchParams,
    )
  }

  /** A token is its user's login and a number: `ada 1`. */
  #exchange(token: string): Response {
    this.exchanged.push(token)
    const [login = ''] = token.split(' ')
    return this.refusedTokens.has(token) ? problem(401, 'token_invalid') : this.#login(login, login)
  }

  #login(login: string, password: string): Response {
    if (login !== password) return problem(401, 'invalid_credentials')
    const session = this.id('session')
    this.sessions.set(session, login)
    return Response.json({ login, user_id: `id of ${login}`, session, expires_at: this.sessionEnd })
  }

  #newClient(user: string): Response {
    const id = this.id('client')
    this.clients.set(id, user)
    return Response.json({ client: { client_id: id } })
  }

  #search({ sources, offset = 0, max_results = 100 }: Search): Response {
    const result = (source: string): SearchResult => {
      const found = this.found.get(source)
      if (!found) return { error: { code: 'operation_not_supported', message: `${source} cannot be searched.` } }
      const wanted = Object.entries(found).slice(offset, offset + max_results)
      const page = wanted.slice(0, this.foundAtOnce)
      return { objects: Object.fromEntries(page), ...(page.length < wanted.length && { more: true }) }
    }
    return Response.json({ results: Object.fromEntries(sources.map(source => [source, result(source)])) })
  }

  #push(source: string, client: string, sent: Push): Response {
    this.pushes.push({ source, push: sent })
    return push(this.#deciding(source), client, sent)
  }

  #partitioned(source: string, partitions: FakePartitions, client: string): PulledPartitions {
    const page = (parameters: PartitionParameters, query: URLSearchParams) =>
      pageFor(this.#pulling(), this.partition(source, parameters), client, query)
    const head = (parameters: PartitionParameters) => this.head(sourceKeyText({ source, parameters }))
    return { partitions, page, head, asked: pulls => void this.pulls.push(pulls) }
  }

  #pushPartition(source: string, partitions: FakePartitions, client: string, sent: Push): Response {
    const { parameters = {} } = sent
    if (partitions.denied.has(parametersName(parameters))) return problem(403, 'partition_not_allowed')
    const key = sourceKeyText({ source, parameters })
    this.pushes.push({ source, push: sent })
    return push({ ...this.#deciding(key), decide: mutation => this.#decisionFor(mutation, source) }, client, sent)
  }

  #pulling() {
    const { nonce, sum, outcomesAPage, id } = this
    return { nonce, sum, outcomesAPage, id }
  }

  #deciding(source: string): DecideContext {
    return {
      collection: this.collection(source),
      linked: this.linked,
      decide: mutation => this.#decisionFor(mutation, source),
    }
  }

  /** Returns the decision for a mutation. A repeated key gets the same decision, because the source is idempotent. */
  #decisionFor(mutation: Mutation, source: string): Decision {
    const decision = this.#decisions.get(mutation.key) ?? this.decide(mutation, source)
    this.#decisions.set(mutation.key, decision)
    return decision
  }
}

/** Returns promises that reject when the request is aborted. */
const rejectionOnAbort = (signal: AbortSignal | null | undefined): readonly Promise<never>[] =>
  signal
    ? [new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))]
    : []
