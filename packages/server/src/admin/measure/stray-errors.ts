import { Counter, type Registry } from 'prom-client'

/** The errors of one module that no call caught, since the start of the process. */
export interface StrayErrorCount {
  /** The package or the file that they came from. */
  readonly module: string
  readonly count: number
  /** The message of the last one. */
  readonly message: string
  /** When the last one came, as ISO text. */
  readonly at: string
}

const MAX_MODULES = 100
const OTHERS = 'others'

/** Counts the errors that reached the process instead of a call: for `/metrics`, and for the warnings of the overview. */
export class StrayErrors {
  readonly #clock: () => number
  readonly #counter: Counter
  readonly #counts = new Map<string, StrayErrorCount>()

  constructor({ registry, clock }: { readonly registry: Registry; readonly clock: () => number }) {
    this.#clock = clock
    this.#counter = new Counter({
      name: 'godwit_stray_errors_total',
      help: 'Errors that no call caught, by the module that they came from.',
      labelNames: ['module'],
      registers: [registry],
    })
  }

  record(name: string, message: string): void {
    const module = this.#counts.has(name) || this.#counts.size < MAX_MODULES ? name : OTHERS
    const count = (this.#counts.get(module)?.count ?? 0) + 1
    this.#counter.inc({ module })
    this.#counts.set(module, { module, count, message, at: new Date(this.#clock()).toISOString() })
  }

  all(): readonly StrayErrorCount[] {
    return [...this.#counts.values()]
  }
}
