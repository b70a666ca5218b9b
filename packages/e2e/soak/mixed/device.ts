import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  API_TOKEN_HEADER,
  type Attributes,
  CLIENT_ID_HEADER,
  type Mutation,
  type Page,
  type PushOutcomes,
} from '@godwit/protocol'
import type { Latencies } from './latencies.js'

type Source = 'Price' | 'Task'

interface PushAnswer {
  readonly outcomes: PushOutcomes['outcomes']
}

/** Maximum number of tasks of a device; above it, the device deletes the oldest. */
const MAX_TASKS = 8

/** The comparison of the server's tasks with the confirmed ones. */
export interface Comparison {
  readonly compared: number
  /** The difference; absent if there is none. */
  readonly lost?: string
}

/** Counts that determine how many rows of a device and its user the server may store. */
export interface Traces {
  /** Number of mutations of the current client. */
  mutations: number
  /** Totals of this user: clients, changes, refused changes and photos. */
  clients: number
  edits: number
  refused: number
  photos: number
}

/** A device that uses the protocol directly and records what the server confirmed, none of which may be missing at the end. */
export class SoakDevice {
  readonly #name: string
  readonly #url: string
  /** Incremented when the user is replaced by a new one. */
  #generation = 0
  readonly #latencies: Latencies
  traces: Traces = noTraces()
  #headers: Record<string, string> = {}
  #tokens: Partial<Record<Source, string>> = {}
  #epoch = ''
  #sent = 0
  #acknowledged = 0
  #unanswered: readonly Mutation[] = []
  #stream: AbortController | undefined
  /** Confirmed tasks: id → attributes. */
  readonly tasks = new Map<string, Attributes>()
  /** Received prices: id → attributes. */
  readonly prices = new Map<string, Attributes>()

  constructor(url: string, name: string, latencies: Latencies) {
    this.#url = url
    this.#name = name
    this.#latencies = latencies
  }

  get login(): string {
    return this.#generation === 0 ? this.#name : `${this.#name}-${this.#generation}`
  }

  get isLoggedIn(): boolean {
    return this.#headers['authorization'] !== undefined
  }

  async logIn(): Promise<void> {
    const body = { login: this.login, password: this.login }
    const { session } = await this.#json<{ session: string }>('login', 'POST', '/rc/v1/app/login', body)
    const { [CLIENT_ID_HEADER]: client } = this.#headers
    this.#headers = { authorization: `Bearer ${session}`, ...(client && { [CLIENT_ID_HEADER]: client }) }
    if (client === undefined) await this.#makeClient()
  }

  async logOut(): Promise<void> {
    this.#stream?.abort()
    this.#stream = undefined
    await this.#json('logout', 'POST', '/rc/v1/app/logout', {})
    const { [CLIENT_ID_HEADER]: client = '' } = this.#headers
    this.#headers = { [CLIENT_ID_HEADER]: client }
  }

  async sync(): Promise<void> {
    await this.#pull('Task')
    await this.#pull('Price')
  }

  /** Creates, changes or deletes a task; an unanswered mutation is sent again by the next call. */
  async edit(random: () => number, photo = false): Promise<void> {
    if (this.#epoch === '') await this.#pull('Task')
    if (this.#unanswered.length === 0) {
      this.#unanswered = [await this.#change(random, photo)]
      this.traces.mutations++
      this.traces.edits++
    }
    const body = { epoch: this.#epoch, acknowledged: this.#acknowledged, mutations: this.#unanswered }
    const { outcomes } = await this.#json<PushAnswer>('push', 'POST', '/app/v1/Task', body)
    this.#apply(outcomes)
  }

  async search(): Promise<void> {
    await this.#json('search', 'POST', '/rc/v1/app/search', { sources: ['Price'], search: { text: '7' } })
  }

  async bulk(): Promise<void> {
    await this.#json('bulk', 'POST', '/rc/v1/app/bulk_data', { partition_type: 'app', sources: ['Price'] })
  }

  /** Opens an event stream and reads it until it ends or the device logs out. */
  async listen(): Promise<void> {
    if (this.#stream) return
    const ending = new AbortController()
    this.#stream = ending
    const answer = await fetch(`${this.#url}/rc/v1/app/events`, { headers: this.#headers, signal: ending.signal })
    if (!answer.ok || answer.body === null) throw new Error(`events: ${answer.status} ${await answer.text()}`)
    void readToEnd(answer.body).then(
      () => this.#forgetStream(ending),
      () => this.#forgetStream(ending),
    )
  }

  hangUp(): void {
    this.#stream?.abort()
    this.#stream = undefined
  }

  /** Compares the confirmed tasks with those that another device of the user pulls from the beginning. */
  async compare(): Promise<Comparison> {
    const other = new SoakDevice(this.#url, this.login, this.#latencies)
    await other.logIn()
    await other.#pull('Task')
    await other.logOut()
    return this.#comparison(this.tasks, other.tasks)
  }

  /** Removes the client as an operator, registers a new one, and compares the tasks that it pulls. */
  async replaceClient(admin: string): Promise<Comparison | undefined> {
    if (!(await this.#finish())) return undefined
    const before = new Map(this.tasks)
    await this.#administer(admin, `users/${this.login}/clients/${this.#headers[CLIENT_ID_HEADER]}`)
    this.#forget()
    await this.#makeClient()
    await this.#pull('Task')
    return this.#comparison(before, this.tasks)
  }

  /** Removes the user as an administrator, and continues as a new user. */
  async replaceUser(admin: string): Promise<Comparison | undefined> {
    if (!(await this.#finish())) return undefined
    const compared = await this.compare()
    await this.#administer(admin, `users/${this.login}`)
    this.#forget()
    this.#headers = {}
    this.#generation++
    this.traces = noTraces()
    return compared
  }

  /** Syncs and closes the event stream. Returns false if a change is still unanswered. */
  async #finish(): Promise<boolean> {
    await this.sync()
    this.hangUp()
    return this.#unanswered.length === 0
  }

  /** Removes all local state. */
  #forget(): void {
    this.tasks.clear()
    this.prices.clear()
    this.#tokens = {}
    this.#epoch = ''
    this.#sent = 0
    this.#acknowledged = 0
    this.traces.mutations = 0
  }

  #comparison(known: ReadonlyMap<string, Attributes>, there: ReadonlyMap<string, Attributes>): Comparison {
    const [ours, theirs] = [sortedRows(known), sortedRows(there)]
    const isSame = JSON.stringify(ours) === JSON.stringify(theirs)
    return { compared: there.size, ...(!isSame && { lost: `${this.login}: ${JSON.stringify([ours, theirs])}` }) }
  }

  async #makeClient(): Promise<void> {
    const { [CLIENT_ID_HEADER]: _, ...session } = this.#headers
    this.#headers = session
    const { client } = await this.#json<{ client: { client_id: string } }>('client', 'POST', '/rc/v1/clients', {})
    this.#headers = { ...session, [CLIENT_ID_HEADER]: client.client_id }
    this.traces.clients++
  }

  async #administer(token: string, path: string): Promise<void> {
    const begun = performance.now()
    const headers = { [API_TOKEN_HEADER]: token }
    const answer = await fetch(`${this.#url}/rc/v1/${path}`, { method: 'DELETE', headers })
    if (!answer.ok) throw new Error(`remove ${path}: ${answer.status} ${await answer.text()}`)
    await answer.text()
    this.#latencies.add('remove', performance.now() - begun)
  }

  #forgetStream(stream: AbortController): void {
    if (this.#stream === stream) this.#stream = undefined
  }

  async #change(random: () => number, photo: boolean): Promise<Mutation> {
    const number = ++this.#sent
    const key = randomUUID()
    const [oldest] = this.tasks.keys()
    if (oldest !== undefined && this.tasks.size >= MAX_TASKS)
      return { number, key, operation: 'delete', object: oldest, was: this.tasks.get(oldest) ?? {} } as Mutation
    if (oldest !== undefined && random() < 0.4) {
      const before = this.tasks.get(oldest) ?? {}
      const attributes = { title: `title ${number}` }
      return { number, key, operation: 'update', object: oldest, attributes, was: { title: before['title'] ?? null } }
    }
    const title = random() < 0.05 ? `refused ${number}` : `title ${number}`
    const attributes = { title, ...(photo && { photo: await this.#upload() }) }
    return { number, key, operation: 'create', object: randomUUID(), attributes, ...(photo && { blobs: ['photo'] }) }
  }

  async #upload(): Promise<string> {
    const bytes = randomBytes(2048)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const query = new URLSearchParams({ hash: sha256, size: String(bytes.length), offset: '0' })
    const headers = { ...this.#headers, 'content-type': 'application/octet-stream' }
    const begun = performance.now()
    const answer = await fetch(`${this.#url}/app/v1/Task/blobs?${query}`, { method: 'POST', headers, body: bytes })
    if (!answer.ok) throw new Error(`blob: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    this.traces.photos++
    this.#latencies.add('blob', performance.now() - begun)
    return sha256
  }

  async #pull(source: Source): Promise<void> {
    const rows = source === 'Task' ? this.tasks : this.prices
    for (;;) {
      const token = this.#tokens[source]
      const query = new URLSearchParams({
        p_size: '500',
        acknowledged: String(source === 'Task' ? this.#acknowledged : 0),
        ...(token && { token }),
      })
      const page = await this.#json<Page>('pull', 'GET', `/app/v1/${source}?${query}`)
      if (page.status === 'resync' && page.progress_count === page.count) rows.clear()
      this.#tokens[source] = page.token
      if (source === 'Task') this.#epoch = page.epoch
      for (const [id, attributes] of Object.entries(page.insert ?? {})) rows.set(id, attributes)
      for (const id of page.delete ?? []) rows.delete(id)
      if (source === 'Task') this.#apply(page.outcomes ?? [])
      if (!page.more) return
    }
  }

  #apply(outcomes: PushOutcomes['outcomes']): void {
    for (const { outcome, number, status } of outcomes) {
      if (outcome !== undefined) this.#acknowledged = Math.max(this.#acknowledged, outcome)
      const mutation = this.#unanswered.find(one => one.number === number)
      if (mutation === undefined || outcome === undefined) continue
      this.#unanswered = this.#unanswered.filter(one => one !== mutation)
      if (status === 'refused') this.traces.refused++
      if (status === 'applied') this.#keep(mutation)
      else if (status !== 'refused' || !String(mutation.attributes?.['title']).startsWith('refused'))
        throw new Error(`${this.login}: ${mutation.operation} of ${mutation.object} came to ${status}.`)
    }
  }

  #keep({ operation, object, attributes = {} }: Mutation): void {
    if (operation === 'delete') this.tasks.delete(object)
    else this.tasks.set(object, { ...this.tasks.get(object), ...attributes })
  }

  async #json<T>(name: string, method: string, path: string, body?: unknown): Promise<T> {
    const begun = performance.now()
    const answer = await fetch(this.#url + path, {
      method,
      headers: { ...this.#headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    this.#latencies.add(name, performance.now() - begun)
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text) as T
  }
}

const noTraces = (): Traces => ({ mutations: 0, clients: 0, edits: 0, refused: 0, photos: 0 })

const sortedRows = (rows: ReadonlyMap<string, Attributes>) =>
  [...rows]
    .map(([id, attributes]) => [id, Object.entries(attributes).sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))

async function readToEnd(body: ReadableStream<Uint8Array>): Promise<void> {
  for await (const part of body) void part
}
