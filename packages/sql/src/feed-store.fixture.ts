import { type Feed, type FeedBatch, isCursorGone, type QueryContext, type Source } from '@godwit/source'

/** A partition in a store. */
interface StoredPartition {
  readonly source: Source
  readonly partition: string
  rows: Map<string, string>
  /** Objects that the feed brought while a reading ran. */
  touched: Set<string> | undefined
  isDue: boolean
  generation: number
}

const log = { error() {}, warn() {}, info() {}, debug() {} }

/** A store in memory that treats a feed as servers do: batches first, then the cursor; readings beside it spare what the feed brings. */
export class FeedStore {
  readonly partitions = new Map<string, StoredPartition>()
  readonly errors: string[] = []
  cursor: string | null = null
  gone = 0
  heartbeats = 0
  readonly batches: FeedBatch[] = []
  #proofs: string[] = []
  readonly #feed: Feed
  readonly #end = new AbortController()
  #running: Promise<unknown> | undefined

  constructor(feed: Feed) {
    this.#feed = feed
  }

  open(source: Source, partition = '*'): StoredPartition {
    const name = `${source.name} ${partition}`
    const known = this.partitions.get(name)
    if (known) return known
    const opened = { source, partition, rows: new Map(), touched: undefined, isDue: true, generation: 0 }
    this.partitions.set(name, opened)
    return opened
  }

  /** The objects of a partition, by id. */
  objects(source: Source, partition = '*'): { readonly [id: string]: unknown } {
    return Object.fromEntries([...this.open(source, partition).rows].map(([id, text]) => [id, JSON.parse(text)]))
  }

  start(): this {
    this.#running = Promise.all([this.#read(), this.#queryDue()])
    return this
  }

  async stop(): Promise<void> {
    this.#end.abort()
    await this.#running
  }

  /** Another process with the same content, as after the end of this one. */
  successor(): FeedStore {
    const next = new FeedStore(this.#feed)
    next.cursor = this.cursor
    next.gone = this.gone
    next.#proofs = [...this.#proofs]
    for (const [name, stored] of this.partitions)
      next.partitions.set(name, { ...stored, touched: undefined, generation: 0 })
    return next
  }

  /** Opens the feed and applies `count` batches; undefined: until it stops. `isKilled`: the last one is not applied. */
  async take(count?: number, isKilled = false): Promise<void> {
    const { signal } = this.#end
    const sources = [...new Set([...this.partitions.values()].map(({ source }) => source.name))].toSorted()
    const isNew = this.cursor === null
    let taken = 0
    for await (const batch of this.#feed.open({
      cursor: this.cursor,
      sources,
      signal,
      log,
      proofs: async () => this.#proofs,
    })) {
      taken++
      if (signal.aborted || (isKilled && taken === count)) return
      if (isNew && taken === 1) this.#everythingDue()
      this.#apply(batch)
      if (taken === count) return
    }
  }

  /** Reads a partition and replaces its rows. Returns false if it was overtaken. */
  async query(stored: StoredPartition): Promise<boolean> {
    const { source, partition, generation } = stored
    const touched = new Set<string>()
    stored.touched = touched
    const found = new Map<string, string>()
    const context = this.context(partition)
    const query = source.methods.query?.(context) as AsyncIterable<{ readonly [id: string]: unknown }>
    for await (const part of query)
      for (const [id, object] of Object.entries(part)) found.set(id, JSON.stringify(object))
    if (stored.generation !== generation || stored.touched !== touched) return false
    for (const id of touched) {
      found.delete(id)
      const kept = stored.rows.get(id)
      if (kept !== undefined) found.set(id, kept)
    }
    stored.rows = found
    stored.touched = undefined
    stored.isDue = false
    return true
  }

  context(partition: string): QueryContext {
    return {
      user: partition,
      claims: {},
      partition,
      signal: this.#end.signal,
      log,
      putBlob: async () => '',
      recordProof: async proof => void this.#proofs.push(proof),
      stash() {},
      parameters: {},
    }
  }

  #apply({ cursor, changes = [], reread = [], proofs = [], heartbeat = false }: FeedBatch): void {
    this.batches.push({ cursor, changes, reread, proofs, heartbeat })
    if (heartbeat) this.heartbeats++
    for (const { source = '', partition = '*', id, attributes } of changes) {
      const stored = this.partitions.get(`${source} ${partition}`)
      stored?.touched?.add(String(id))
      if (attributes === null) stored?.rows.delete(String(id))
      else stored?.rows.set(String(id), JSON.stringify(attributes))
    }
    for (const { source } of reread)
      for (const stored of this.partitions.values()) if (stored.source.name === source) this.#due(stored)
    this.cursor = cursor
    this.#proofs = this.#proofs.filter(proof => !proofs.includes(proof))
  }

  #everythingDue(): void {
    this.#proofs = []
    for (const stored of this.partitions.values()) this.#due(stored)
  }

  #due(stored: StoredPartition): void {
    stored.isDue = true
    stored.generation++
    stored.touched = undefined
  }

  async #read(): Promise<void> {
    while (!this.#end.signal.aborted) {
      await this.take().catch(error => {
        if (isCursorGone(error)) {
          this.gone++
          this.cursor = null
        } else if (!this.#end.signal.aborted) this.errors.push(error.message)
      })
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }

  async #queryDue(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const due = [...this.partitions.values()].find(({ isDue }) => isDue)
      if (due && this.cursor !== null)
        await this.query(due).catch(error => {
          if (!this.#end.signal.aborted) this.errors.push(error.message)
        })
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
}

/** Reads the table itself, as a partition of a source. */
export async function tableRows(
  source: Source,
  store: FeedStore,
  partition = '*',
): Promise<{ readonly [id: string]: unknown }> {
  const context = { ...store.context(partition), signal: new AbortController().signal, recordProof: async () => {} }
  const rows: { [id: string]: unknown } = {}
  const parts = source.methods.query?.(context) as AsyncIterable<object>
  for await (const part of parts) Object.assign(rows, part)
  return rows
}
