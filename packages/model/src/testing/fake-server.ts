import {
  type Attributes,
  CLIENT_ID_HEADER,
  HINT_HEADER,
  type Mutation,
  type ObjectMap,
  type Push,
  type Search,
  type SearchResult,
  type SourceError,
} from '@godwit/protocol'
import { checksumOf, FakeCollection } from './fake/collection.js'
import { type DecideContext, type Decision, decide } from './fake/decide.js'
import { EventStreams } from './fake/event-streams.js'
import { problem } from './fake/problem.js'
import { objects, pull, versions } from './fake/pull.js'
import { push } from './fake/push.js'

export type { Decision }

/** The device protocol, version 4, in process: small, honest, with what can go wrong at hand. */
export class FakeServer {
  readonly collections = new Map<string, FakeCollection>()
  readonly clients = new Map<string, string>()
  readonly sessions = new Map<string, string>()
  readonly events = new EventStreams()
  /** Every request that came in: `POST /app/v1/Visit`. */
  readonly requests: string[] = []
  /** The sources of pulls that a hint began. */
  readonly hinted: string[] = []
  /** The query string of every pull. */
  readonly queries: URLSearchParams[] = []
  readonly pushes: { readonly source: string; readonly push: Push }[] = []
  /** Temporary ids that have a real one, of all sources. */
  readonly linked = new Set<string>()
  /** Sources whose last query failed, and how. */
  readonly failing = new Map<string, SourceError>()
  /** What a search finds, by source. */
  readonly found = new Map<string, ObjectMap>()
  decide: (mutation: Mutation, source: string) => Decision = () => ({})
  /** Called before a request is served; may throw (no network) or answer in its place. */
  before: (request: string) => Response | undefined = () => undefined
  /** Called when a request has been served; may throw (the answer is lost). */
  after: (request: string) => void | Promise<void> | undefined = () => undefined
  nonce = 'n1'
  /** The checksum of a collection; may be wrong. */
  sum: (collection: Pick<FakeCollection, 'rows'>) => string = checksumOf
  /** Outcomes a page carries at most. */
  outcomesAPage = 1000
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

  /** What a backend does: one batch, one version. `null` removes. */
  write(source: string, objects: { readonly [id: string]: Attributes | null }): void {
    this.collection(source).write(objects)
  }

  live(source: string): ObjectMap {
    return this.collection(source).live()
  }

  /** Where a collection stands, as events tell it. */
  head(source: string): { readonly epoch: string; readonly head: number } {
    const { epoch, head } = this.collection(source)
    return { epoch, head }
  }

  /** What a `check` tells. */
  check(): object {
    return {
      heads: Object.fromEntries([...this.collections.keys()].map(source => [source, this.head(source)])),
      within: 0,
    }
  }

  /** Another epoch: everything that devices know is void. */
  drop(source: string, objects: ObjectMap = {}): void {
    this.collections.delete(source)
    this.write(source, objects)
  }

  /** The collection as it is now, to go back to: the same epoch, journals included. */
  backup(source: string): () => void {
    const copy = this.collection(source).copy()
    return () => void this.collections.set(source, copy.copy())
  }

  /** As if its latest writes were lost. */
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
    if (url.pathname === '/rc/v1/app/login') return this.#login(String(body['login']), String(body['password']))
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
    const collection = this.collection(source)
    if (question === 'versions') return versions(collection, url.searchParams)
    if (question === 'objects') return objects(collection, body['ids'] as string[])
    if (init.method === 'POST') return this.#push(source, client, body as unknown as Push)
    this.queries.push(url.searchParams)
    if (headers.get(HINT_HEADER) === '1') this.hinted.push(source)
    return pull({ ...this.#pulling(), error: this.failing.get(source) }, collection, client, url.searchParams)
  }

  #login(login: string, password: string): Response {
    if (login !== password) return problem(401, 'invalid_credentials')
    const session = this.id('session')
    this.sessions.set(session, login)
    return Response.json({ login, user_id: `id of ${login}`, session, expires_at: '2100-01-01T00:00:00Z' })
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
      return { objects: Object.fromEntries(Object.entries(found).slice(offset, offset + max_results)) }
    }
    return Response.json({ results: Object.fromEntries(sources.map(source => [source, result(source)])) })
  }

  #push(source: string, client: string, sent: Push): Response {
    this.pushes.push({ source, push: sent })
    return push(this.#deciding(source), client, sent)
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

  /** The source is idempotent: a key that it knows gets the same answer. */
  #decisionFor(mutation: Mutation, source: string): Decision {
    const decision = this.#decisions.get(mutation.key) ?? this.decide(mutation, source)
    this.#decisions.set(mutation.key, decision)
    return decision
  }
}

/** Throws when the request is given up. */
const rejectionOnAbort = (signal: AbortSignal | null | undefined): readonly Promise<never>[] =>
  signal
    ? [new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))]
    : []
