import { moment } from '../platform/moment.js'

/** A running live query. */
export interface LiveQueryFacts {
  /** Sequence number since the device was opened. */
  readonly query: number
  /** The model whose rows it returns; for SQL, all models that it reads. */
  readonly model: string
  /** The query: options as JSON, or SQL. */
  readonly text: string
  readonly rows: number
  /** How often it has run. */
  readonly runs: number
  /** Duration of the last run. */
  readonly milliseconds: number
}

/** Internal events of a device, for tools. */
export type TraceEvent =
  /** A request ended (`status` null: it failed). Sizes are those of uncompressed bodies. */
  | {
      readonly kind: 'request'
      readonly method: string
      readonly path: string
      readonly status: number | null
      readonly sent: number
      readonly received: number
      readonly milliseconds: number
    }
  /** A transaction wrote rows: number of writes by model. */
  | {
      readonly kind: 'transaction'
      readonly rows: { readonly [model: string]: number }
      readonly milliseconds: number
    }
  /** A live query ran. */
  | ({ readonly kind: 'query' } & LiveQueryFacts)

/** Milliseconds for which a call of `ask` enables events. */
const EVENTS_ENABLED_MS = 10_000

/** Lists live queries and, only on request, reports internal events, because each write causes some. */
export class Trace {
  emit: (event: TraceEvent) => void = () => {}
  readonly #queries = new Map<number, LiveQueryFacts>()
  readonly #written = new Map<string, number>()
  #last = 0
  #until = 0
  /** Start of the open transaction, set only while events are reported. */
  #began = 0

  /** Enables events for the next ten seconds and returns the running live queries. */
  enable(): readonly LiveQueryFacts[] {
    this.#began = moment()
    this.#until = this.#began + EVENTS_ENABLED_MS
    return [...this.#queries.values()]
  }

  get isOn(): boolean {
    if (this.#until !== 0 && moment() > this.#until) this.#until = 0
    return this.#until !== 0
  }

  begun(): void {
    if (this.isOn) this.#began = moment()
  }

  /** Call it when rows of a model are written. */
  wrote(model: string, count: () => number): void {
    if (this.isOn) this.#written.set(model, (this.#written.get(model) ?? 0) + count())
  }

  rolledBack(): void {
    this.#written.clear()
  }

  committed(): void {
    if (this.#written.size === 0) return
    const rows = Object.fromEntries(this.#written)
    this.#written.clear()
    this.emit({ kind: 'transaction', rows, milliseconds: moment() - this.#began })
  }

  /** Registers a live query. Call `answered` after each run and `end` when it stops. */
  begin(model: string, text: () => string): { readonly ran: (rows: number, since: number) => void; end(): void } {
    const query = ++this.#last
    let queryText: string | undefined
    let runs = 0
    return {
      ran: (rows, since) => {
        queryText ??= text()
        runs++
        const facts = { query, model, text: queryText, rows, runs, milliseconds: moment() - since }
        this.#queries.set(query, facts)
        if (this.isOn) this.emit({ kind: 'query', ...facts })
      },
      end: () => void this.#queries.delete(query),
    }
  }
}
