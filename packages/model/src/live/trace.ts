/** A live query that runs on this device. */
export interface LiveQueryFacts {
  /** Its number since the device was opened. */
  readonly query: number
  /** The model whose rows it gives; of SQL, all that it reads. */
  readonly model: string
  /** What is asked: options as JSON, or SQL. */
  readonly text: string
  readonly rows: number
  /** How often it was asked. */
  readonly asked: number
  /** How long the last answer took. */
  readonly milliseconds: number
}

/** What goes on inside a device, for tools. */
export type TraceEvent =
  /** A request was answered, or failed (`status` null). Bytes are those of the bodies, before they are compressed. */
  | {
      readonly kind: 'request'
      readonly method: string
      readonly path: string
      readonly status: number | null
      readonly sent: number
      readonly received: number
      readonly milliseconds: number
    }
  /** A transaction wrote rows: model → how many times. */
  | {
      readonly kind: 'transaction'
      readonly rows: { readonly [model: string]: number }
      readonly milliseconds: number
    }
  /** A live query was asked again. */
  | ({ readonly kind: 'query' } & LiveQueryFacts)

/** How long it is told after it was asked for. */
const TOLD = 10_000

/** Milliseconds since some moment; whole ones where the engine has nothing finer. */
export const moment = (): number => (typeof performance === 'object' ? performance.now() : Date.now())

/** Counts live queries; tells what goes on inside only while somebody asks for it, as it comes with every write. */
export class Trace {
  tell: (event: TraceEvent) => void = () => {}
  readonly #queries = new Map<number, LiveQueryFacts>()
  readonly #written = new Map<string, number>()
  #last = 0
  #until = 0
  /** When the open transaction began, where it is told. */
  #began = 0

  /** Tells from now on, for ten seconds. Returns the live queries that run. */
  ask(): readonly LiveQueryFacts[] {
    this.#began = moment()
    this.#until = this.#began + TOLD
    return [...this.#queries.values()]
  }

  get isOn(): boolean {
    if (this.#until !== 0 && moment() > this.#until) this.#until = 0
    return this.#until !== 0
  }

  begun(): void {
    if (this.isOn) this.#began = moment()
  }

  /** Rows of a model are written. */
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
    this.tell({ kind: 'transaction', rows, milliseconds: moment() - this.#began })
  }

  /** A live query begins. Answers that it counts are told; call `end` when it is over. */
  begin(model: string, text: () => string): { readonly answered: (rows: number, since: number) => void; end(): void } {
    const query = ++this.#last
    let shown: string | undefined
    let asked = 0
    return {
      answered: (rows, since) => {
        shown ??= text()
        asked++
        const facts = { query, model, text: shown, rows, asked, milliseconds: moment() - since }
        this.#queries.set(query, facts)
        if (this.isOn) this.tell({ kind: 'query', ...facts })
      },
      end: () => void this.#queries.delete(query),
    }
  }
}
