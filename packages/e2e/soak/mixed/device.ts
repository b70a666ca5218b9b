import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Attributes, CLIENT_ID_HEADER, type Mutation, type Page, type PushOutcomes } from '@godwit/protocol'
import type { Latencies } from './latencies.js'

type Source = 'Price' | 'Task'

interface PushAnswer {
  readonly outcomes: PushOutcomes['outcomes']
}

/** Tasks that a device keeps; one more makes it remove the oldest. */
const MAX_TASKS = 8

/** A device that speaks the wire. It knows what the server confirmed to it: nothing of that may be missing at the end. */
export class SoakDevice {
  readonly login: string
  readonly #url: string
  readonly #latencies: Latencies
  #headers: Record<string, string> = {}
  #tokens: Partial<Record<Source, string>> = {}
  #epoch = ''
  #sent = 0
  #acknowledged = 0
  #unanswered: readonly Mutation[] = []
  #stream: AbortController | undefined
  /** What was confirmed: id → attributes. */
  readonly tasks = new Map<string, Attributes>()
  /** Prices as they were told. */
  readonly prices = new Map<string, Attributes>()

  constructor(url: string, login: string, latencies: Latencies) {
    this.#url = url
    this.login = login
    this.#latencies = latencies
  }

  get isLoggedIn(): boolean {
    return this.#headers['authorization'] !== undefined
  }

  async logIn(): Promise<void> {
    const body = { login: this.login, password: this.login }
    const { session } = await this.#json<{ session: string }>('login', 'POST', '/rc/v1/app/login', body)
    const { [CLIENT_ID_HEADER]: client } = this.#headers
    this.#headers = { authorization: `Bearer ${session}`, ...(client && { [CLIENT_ID_HEADER]: client }) }
    if (client === undefined) {
      const made = await this.#json<{ client: { client_id: string } }>('client', 'POST', '/rc/v1/clients', {})
      this.#headers = { ...this.#headers, [CLIENT_ID_HEADER]: made.client.client_id }
    }
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

  /** A new task, a change or a removal of one; what is not answered is sent again with the next. */
  async edit(random: () => number, photo = false): Promise<void> {
    if (this.#epoch === '') await this.#pull('Task')
    if (this.#unanswered.length === 0) this.#unanswered = [await this.#change(random, photo)]
    const body = { epoch: this.#epoch, acknowledged: this.#acknowledged, mutations: this.#unanswered }
    const { outcomes } = await this.#json<PushAnswer>('push', 'POST', '/app/v1/Task', body)
    this.#apply(outcomes)
  }

  async search(): Promise<void> {
    await this.#json('search', 'POST', '/rc/v1/app/search', { sources: ['Price'], search: { text: '7' } })
  }

  async bulk(): Promise<void> {
    await this.#json('bulk', 'POST', '/rc/v1/app/bulk_data', { partition: 'app', sources: ['Price'] })
  }

  /** Opens an event stream, and reads it until it is closed or the device logs out. */
  async listen(): Promise<void> {
    if (this.#stream) return
    const ending = new AbortController()
    this.#stream = ending
    const answer = await fetch(`${this.#url}/rc/v1/app/events`, { headers: this.#headers, signal: ending.signal })
    if (!answer.ok || answer.body === null) throw new Error(`events: ${answer.status} ${await answer.text()}`)
    void read(answer.body).then(
      () => this.#closed(ending),
      () => this.#closed(ending),
    )
  }

  hangUp(): void {
    this.#stream?.abort()
    this.#stream = undefined
  }

  /** What the server has of this user's tasks, from the beginning, as another device would get it. */
  async everything(): Promise<ReadonlyMap<string, Attributes>> {
    const found = new Map<string, Attributes>()
    const other = new SoakDevice(this.#url, this.login, this.#latencies)
    await other.logIn()
    await other.#pull('Task')
    for (const [id, attributes] of other.tasks) found.set(id, attributes)
    await other.logOut()
    return found
  }

  #closed(stream: AbortController): void {
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

async function read(body: ReadableStream<Uint8Array>): Promise<void> {
  for await (const part of body) void part
}
