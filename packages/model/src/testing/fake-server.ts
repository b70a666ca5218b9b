import {
  type Attributes,
  Checksum,
  CLIENT_ID_HEADER,
  type Mutation,
  type ObjectMap,
  type Outcome,
  type Page,
  type Push,
  type Pushed,
  type Search,
  type SearchResult,
} from '@godwit/protocol'
import { merged, same } from '../database/attributes.js'

/** What the source does with a mutation; `applied` unless said otherwise. */
export interface Decision {
  readonly status?: Exclude<Outcome['status'], 'queued'>
  readonly link?: string
  /** The object as the source leaves it; default: as the device wants it. */
  readonly attributes?: Attributes
  /** The backend has it, the collection never had: it is done there, and nothing is stored. */
  readonly outside?: boolean
  /** Not now: a later `decideQueued` does it. */
  readonly queue?: boolean
}

interface Collection {
  epoch: string
  head: number
  /** Version → a random mark: a restored backup that went on has others. */
  readonly marks: Map<number, string>
  readonly rows: Map<string, { version: number; attributes: Attributes | null }>
  readonly journals: Map<string, Journal>
}

interface Journal {
  readonly mutations: Map<number, { mutation: Mutation; decided: boolean }>
  readonly outcomes: Outcome[]
  acknowledged: number
}

interface Token {
  readonly epoch: string
  readonly nonce: string
  readonly head: number
  readonly mark: string | undefined
  readonly base: number
  readonly position: readonly [version: number, id: string]
  readonly start: number
  readonly pass: string
  readonly resync: boolean
  readonly progress: number
  readonly running: boolean
}

const problem = (status: number, code: string, more: object = {}): Response =>
  new Response(JSON.stringify({ type: `/docs/errors#${code}`, title: code, status, detail: code, code, ...more }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })

/** The device protocol, version 4, in process: small, honest, with what can go wrong at hand. */
export class FakeServer {
  readonly collections = new Map<string, Collection>()
  readonly clients = new Map<string, string>()
  readonly sessions = new Map<string, string>()
  /** Every request that came in: `POST /app/v1/Visit`. */
  readonly requests: string[] = []
  /** The query string of every pull. */
  readonly queries: URLSearchParams[] = []
  readonly pushes: { readonly source: string; readonly push: Push }[] = []
  decide: (mutation: Mutation, source: string) => Decision = () => ({})
  /** Called before a request is served; may throw (no network) or answer in its place. */
  before: (request: string) => Response | undefined = () => undefined
  /** Called when a request has been served; may throw (the answer is lost). */
  after: (request: string) => void | Promise<void> = () => {}
  nonce = 'n1'
  /** The checksum of a collection; may be wrong. */
  sum: (collection: Pick<Collection, 'rows'>) => string = checksumOf
  /** Outcomes a page carries at most. */
  outcomesAPage = 1000
  /** Temporary ids that have a real one, by source. */
  readonly linked = new Set<string>()
  /** What a search finds, by source. */
  readonly found = new Map<string, ObjectMap>()
  #count = 0
  readonly #decisions = new Map<string, Decision>()
  /** Devices that listen to events. */
  readonly streams = new Set<ReadableStreamDefaultController<Uint8Array>>()

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    const request = `${init?.method ?? 'GET'} ${url.pathname}`
    this.requests.push(request)
    const answer = this.before(request) ?? this.#serve(url, init ?? {})
    await this.after(request)
    return answer
  }

  collection(source: string): Collection {
    const known = this.collections.get(source)
    if (known) return known
    const made: Collection = { epoch: this.id('e'), head: 0, marks: new Map(), rows: new Map(), journals: new Map() }
    this.collections.set(source, made)
    return made
  }

  /** What a backend does: one batch, one version. `null` removes. */
  write(source: string, objects: { readonly [id: string]: Attributes | null }): void {
    const collection = this.collection(source)
    const version = collection.head + 1
    let changed = false
    for (const [id, attributes] of Object.entries(objects)) {
      const row = collection.rows.get(id)
      if (attributes === null ? !row?.attributes : row?.attributes && same(row.attributes, attributes)) continue
      collection.rows.set(id, { version, attributes })
      changed = true
    }
    if (!changed) return
    collection.head = version
    collection.marks.set(version, this.id('m'))
  }

  live(source: string): ObjectMap {
    const rows = [...this.collection(source).rows].filter(([, { attributes }]) => attributes)
    return Object.fromEntries(rows.map(([id, { attributes }]) => [id, attributes as Attributes]))
  }

  /** Another epoch: everything that devices know is void. */
  drop(source: string, objects: ObjectMap = {}): void {
    this.collections.delete(source)
    this.write(source, objects)
  }

  /** The collection as it is now, to go back to: the same epoch, journal included. */
  backup(source: string): () => void {
    const { epoch, head, marks, rows, journals } = structuredClone(this.collection(source))
    return () => void this.collections.set(source, structuredClone({ epoch, head, marks, rows, journals }))
  }

  decideQueued(source: string): void {
    const collection = this.collection(source)
    for (const journal of collection.journals.values()) {
      for (const entry of journal.mutations.values()) if (!entry.decided) this.#decide(source, journal, entry, true)
    }
  }

  id(prefix: string): string {
    this.#count++
    return `${prefix}${this.#count}`
  }

  #serve(url: URL, init: RequestInit): Response {
    const headers = new Headers(init.headers)
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
    if (url.pathname === '/rc/v1/app/login') return this.#login(String(body['login']), String(body['password']))
    const user = this.sessions.get(headers.get('authorization')?.replace('Bearer ', '') ?? '')
    if (!user) return problem(401, 'session_missing')
    if (url.pathname === '/rc/v1/app/logout') return Response.json({})
    if (url.pathname === '/rc/v1/app/search') return this.#search(body as unknown as Search)
    if (url.pathname === '/rc/v1/clients') {
      const id = this.id('client')
      this.clients.set(id, user)
      return Response.json({ client: { client_id: id } })
    }
    const client = headers.get(CLIENT_ID_HEADER) ?? ''
    if (this.clients.get(client) !== user) return problem(404, 'client_not_found')
    if (url.pathname === '/rc/v1/app/events') return this.#listen(init.signal ?? undefined)
    const [name = '', question] = url.pathname.replace('/app/v1/', '').split('/')
    const source = decodeURIComponent(name)
    if (question === 'versions') return this.#versions(source, url.searchParams)
    if (question === 'objects') return this.#objects(source, body['ids'] as string[])
    return init.method === 'POST'
      ? this.#push(source, client, body as unknown as Push)
      : this.#pull(source, client, url.searchParams)
  }

  /** Tells whoever listens: `change`, `check`, `ping`; '' is a heartbeat. */
  tell(event: string, data: object = {}): void {
    const text = event === '' ? ':\n\n' : `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    for (const stream of this.streams) stream.enqueue(new TextEncoder().encode(text))
  }

  /** Every stream ends, as when a server stops. */
  hangUp(): void {
    for (const stream of this.streams) stream.close()
    this.streams.clear()
  }

  #listen(signal: AbortSignal | undefined): Response {
    let open: ReadableStreamDefaultController<Uint8Array> | undefined
    const close = () => {
      if (open && this.streams.delete(open)) open.error(new TypeError('terminated'))
    }
    const body = new ReadableStream<Uint8Array>({
      start: controller => {
        open = controller
        this.streams.add(controller)
      },
      cancel: () => {
        if (open) this.streams.delete(open)
      },
    })
    signal?.addEventListener('abort', close, { once: true })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  #login(login: string, password: string): Response {
    if (login !== password) return problem(401, 'invalid_credentials')
    const session = this.id('session')
    this.sessions.set(session, login)
    return Response.json({ login, user_id: `id of ${login}`, session, expires_at: '2100-01-01T00:00:00Z' })
  }

  #pull(source: string, client: string, query: URLSearchParams): Response {
    this.queries.push(query)
    const collection = this.collection(source)
    const given = query.get('token')
    const token = this.#tokenOf(given, collection)
    const limit = Number(query.get('p_size') ?? 500)
    const rows = [...collection.rows]
      .map(([id, row]) => ({ id, ...row }))
      .filter(
        ({ version, id }) => version > token.position[0] || (version === token.position[0] && id > token.position[1]),
      )
      .filter(({ version, attributes }) => !(attributes === null && token.base === 0 && version <= token.start))
      .sort((one, other) => one.version - other.version || (one.id < other.id ? -1 : 1))
      .slice(0, limit)
    const ends = rows.length < limit
    const last = rows.at(-1)
    const progress = token.progress + rows.length
    const next: Token = ends
      ? {
          ...token,
          base: collection.head,
          position: [collection.head, '\uffff'],
          start: 0,
          resync: false,
          progress: 0,
          running: false,
        }
      : { ...token, position: [last?.version ?? 0, last?.id ?? ''], progress, running: true }
    const undelivered = this.#journal(collection, client).outcomes.filter(
      ({ outcome = 0 }) => outcome > Number(query.get('acknowledged') ?? 0),
    )
    const outcomes = undelivered.slice(0, this.outcomesAPage)
    const live = rows.filter(({ attributes }) => attributes)
    const page: Page = {
      version: 4,
      epoch: collection.epoch,
      token: JSON.stringify({ ...next, head: collection.head, mark: collection.marks.get(collection.head) }),
      more: !ends || outcomes.length < undelivered.length,
      status: token.resync ? 'resync' : 'ok',
      pass: token.pass,
      ...(ends && { ends: true, head: collection.head, checksum: this.sum(collection) }),
      count: rows.length,
      progress_count: progress,
      total_count: Object.keys(this.live(source)).length,
      ...(live.length > 0 && {
        insert: Object.fromEntries(live.map(({ id, attributes }) => [id, attributes as Attributes])),
      }),
      ...(rows.length > 0 && { versions: Object.fromEntries(rows.map(({ id, version }) => [id, version])) }),
      ...(live.length < rows.length && { delete: rows.filter(({ attributes }) => !attributes).map(({ id }) => id) }),
      ...(outcomes.length > 0 && { outcomes }),
    }
    return Response.json(page)
  }

  #search({ sources, offset = 0, max_results = 100 }: Search): Response {
    const result = (source: string): SearchResult => {
      const found = this.found.get(source)
      if (!found) return { error: { code: 'operation_not_supported', message: `${source} cannot be searched.` } }
      return { objects: Object.fromEntries(Object.entries(found).slice(offset, offset + max_results)) }
    }
    return Response.json({ results: Object.fromEntries(sources.map(source => [source, result(source)])) })
  }

  #versions(source: string, query: URLSearchParams): Response {
    const { epoch, rows } = this.collection(source)
    const limit = Number(query.get('limit') ?? 5000)
    const ids = [...rows].flatMap(([id, { attributes }]) => (attributes ? [id] : [])).sort()
    const page = ids.filter(id => id > (query.get('after') ?? '')).slice(0, limit)
    const versions = Object.fromEntries(page.map(id => [id, rows.get(id)?.version]))
    return Response.json({ epoch, versions, ...(page.length === limit && { next: page.at(-1) }) })
  }

  #objects(source: string, ids: readonly string[]): Response {
    const { epoch, rows } = this.collection(source)
    const live = ids.filter(id => rows.get(id)?.attributes)
    const objects = Object.fromEntries(live.map(id => [id, rows.get(id)?.attributes]))
    return Response.json({ epoch, objects, versions: Object.fromEntries(live.map(id => [id, rows.get(id)?.version])) })
  }

  #tokenOf(text: string | null, { epoch, head, marks }: Collection): Token {
    const token = text === null ? undefined : (JSON.parse(text) as Token)
    const isGood = token && token.epoch === epoch && token.nonce === this.nonce && marks.get(token.head) === token.mark
    if (isGood) return token.running ? token : { ...token, pass: this.id('p') }
    return {
      epoch,
      nonce: this.nonce,
      head,
      mark: marks.get(head),
      base: 0,
      position: [0, ''],
      start: head,
      pass: this.id('p'),
      resync: token !== undefined,
      progress: 0,
      running: true,
    }
  }

  /** As if its latest writes were lost. */
  forgetJournal(source: string): void {
    this.collection(source).journals.clear()
  }

  #journal(collection: Collection, client: string): Journal {
    const journal = collection.journals.get(client) ?? { mutations: new Map(), outcomes: [], acknowledged: 0 }
    collection.journals.set(client, journal)
    return journal
  }

  #push(source: string, client: string, push: Push): Response {
    this.pushes.push({ source, push })
    const collection = this.collection(source)
    if (push.epoch !== collection.epoch) return problem(409, 'epoch_changed', { epoch: collection.epoch })
    const journal = this.#journal(collection, client)
    if (push.acknowledged > journal.outcomes.length || push.acknowledged < journal.acknowledged) {
      return problem(409, 'client_forked')
    }
    journal.acknowledged = push.acknowledged
    let expected = journal.mutations.size + 1
    for (const { number, key } of push.mutations) {
      const known = journal.mutations.get(number)
      if (known ? known.mutation.key !== key : number > expected)
        return problem(409, known ? 'client_forked' : 'mutation_gap', { expected })
      if (!known) expected++
    }
    for (const mutation of push.mutations) {
      if (journal.mutations.has(mutation.number)) continue
      const entry = { mutation, decided: false }
      journal.mutations.set(mutation.number, entry)
      this.#decide(source, journal, entry, false)
    }
    const queued = push.mutations.filter(({ number }) => !journal.mutations.get(number)?.decided)
    const answer: Pushed = {
      epoch: collection.epoch,
      outcomes: [
        ...journal.outcomes.filter(({ outcome = 0 }) => outcome > push.acknowledged),
        ...queued.map(({ number }): Outcome => ({ number, status: 'queued', version: collection.head })),
      ],
    }
    return Response.json(answer)
  }

  #decide(source: string, journal: Journal, entry: { mutation: Mutation; decided: boolean }, again: boolean): void {
    const collection = this.collection(source)
    if (this.#settledElsewhere(collection, journal, entry)) return
    const mutation = this.#linked(journal, entry.mutation)
    const {
      status = 'applied',
      link,
      attributes,
      queue,
      outside,
    } = this.#refusedOwner(journal, mutation) ?? this.#decisionFor(mutation, source)
    const waits = [...journal.mutations.values()].some(
      other =>
        !other.decided &&
        other !== entry &&
        other.mutation.number < mutation.number &&
        (other.mutation.object === mutation.object || mutation.owners?.includes(other.mutation.object)),
    )
    if ((queue && !again) || waits) return
    const id = link ?? mutation.object
    if (status === 'applied' && link !== undefined && link !== mutation.object) this.linked.add(mutation.object)
    const present = collection.rows.get(id)?.attributes ?? null
    const before = collection.rows.get(id)?.version
    const result = status === 'applied' ? this.#result(mutation, present, attributes) : undefined
    const gone = mutation.operation === 'update' && !present && status === 'applied' && !outside
    if (result !== undefined && !gone && !outside) this.write(source, { [id]: result })
    const now = collection.rows.get(id)?.attributes ?? null
    const isKnown =
      mutation.operation === 'update' &&
      mutation.seen === before &&
      present &&
      same(merged(present, mutation.attributes ?? {}), now)
    const last: Outcome = {
      outcome: journal.outcomes.length + 1,
      number: mutation.number,
      status: gone ? 'gone' : status,
      ...(link !== undefined && link !== entry.mutation.object && { link }),
      version: collection.rows.get(id)?.version ?? collection.head,
      ...(now && !isKnown && { attributes: now }),
      ...((gone || status !== 'applied') && {
        error: { code: gone ? 'gone' : status, message: `The source says ${status}.` },
      }),
    }
    journal.outcomes.push(last)
    entry.decided = status !== 'in_doubt'
  }

  /** The source is idempotent: a key that it knows gets the same answer. */
  #decisionFor(mutation: Mutation, source: string): Decision {
    const decision = this.#decisions.get(mutation.key) ?? this.decide(mutation, source)
    this.#decisions.set(mutation.key, decision)
    return decision
  }

  #result(mutation: Mutation, present: Attributes | null, attributes: Attributes | undefined): Attributes | null {
    if (mutation.operation === 'delete') return null
    if (attributes) return attributes
    return merged(mutation.operation === 'create' ? {} : (present ?? {}), mutation.attributes ?? {})
  }

  /** A key is one mutation for ever, also when its device counts it under another client id. */
  #settledElsewhere(
    collection: Collection,
    journal: Journal,
    entry: { mutation: Mutation; decided: boolean },
  ): boolean {
    for (const other of collection.journals.values()) {
      const known = [...other.mutations.values()].find(
        one => other !== journal && one.decided && one.mutation.key === entry.mutation.key,
      )
      const outcome = known && other.outcomes.findLast(({ number }) => number === known.mutation.number)
      if (!outcome) continue
      const { attributes: _, ...rest } = outcome
      const now = collection.rows.get(outcome.link ?? entry.mutation.object)?.attributes
      const number = entry.mutation.number
      journal.outcomes.push({
        ...rest,
        outcome: journal.outcomes.length + 1,
        number,
        version: collection.rows.get(outcome.link ?? entry.mutation.object)?.version ?? collection.head,
        ...(now && { attributes: now }),
      })
      entry.decided = true
      return true
    }
    return false
  }

  /** With the real ids of owners that are decided by now. */
  #linked(journal: Journal, mutation: Mutation): Mutation {
    const links = new Map<string, string>()
    for (const { number, link } of journal.outcomes) {
      const object = journal.mutations.get(number)?.mutation.object
      if (link !== undefined && object !== undefined) links.set(object, link)
    }
    const owners = mutation.owners ?? []
    const over = (attributes: Attributes = {}): Attributes =>
      Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [
          name,
          typeof value === 'string' && owners.includes(value) ? (links.get(value) ?? value) : value,
        ]),
      )
    return { ...mutation, ...(mutation.attributes && { attributes: over(mutation.attributes) }) }
  }

  #refusedOwner(journal: Journal, mutation: Mutation): Decision | undefined {
    const refused = new Set(
      journal.outcomes
        .filter(({ status }) => status !== 'applied' && status !== 'in_doubt')
        .map(({ number }) => journal.mutations.get(number)?.mutation)
        .filter(one => one?.operation === 'create')
        .map(one => one?.object),
    )
    return mutation.owners?.some(owner => refused.has(owner)) ? { status: 'depends_on_refused' } : undefined
  }
}

function checksumOf({ rows }: Pick<Collection, 'rows'>): string {
  const sum = new Checksum()
  for (const [id, { version, attributes }] of rows) if (attributes) sum.add(id, version)
  return sum.toString()
}
