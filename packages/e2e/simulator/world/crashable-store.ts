import type { Store } from '@godwit/store'

/** The lifetime of a server process. Store calls that are pending at its end never resolve. */
export class Lifetime {
  #over = false
  readonly #ends: (() => void)[] = []

  get isOver(): boolean {
    return this.#over
  }

  onEnd(run: () => void): void {
    this.#ends.push(run)
  }

  end(): void {
    if (this.#over) return
    this.#over = true
    for (const run of this.#ends) run()
  }
}

type Call = (...given: never[]) => Promise<unknown>

/** Hooks around every call of a store. */
export interface StoreHooks {
  readonly before: (name: string, given: readonly unknown[]) => Promise<void>
  readonly after: (name: string, given: readonly unknown[], result: unknown) => Promise<void>
}

/** Returns a separate promise for every call: a shared one would keep all waiters, and whole finished worlds, in memory. */
const pendingForever = (): Promise<never> => new Promise(() => {})

/** Wraps a store for one process, which may die before or after each call. */
export function crashableStore(store: Store, lifetime: Lifetime, watch: StoreHooks): Store {
  const around =
    (name: string, call: Call): Call =>
    async (...given) => {
      if (lifetime.isOver) return pendingForever()
      await watch.before(name, given)
      if (lifetime.isOver) return pendingForever()
      const result = await call(...given).catch(error => (lifetime.isOver ? pendingForever() : Promise.reject(error)))
      if (lifetime.isOver) return pendingForever()
      await watch.after(name, given, result)
      return lifetime.isOver ? pendingForever() : result
    }
  const capability = <Methods extends object>(prefix: string, methods: Methods): Methods =>
    Object.fromEntries(
      Object.entries(methods).map(([name, call]) => [name, around(`${prefix}.${name}`, call as Call)]),
    ) as Methods
  const { counters, events, series, audit, check, now, measure, clear, close } = store
  return {
    collections: capability('collections', store.collections),
    journal: capability('journal', store.journal),
    documents: capability('documents', store.documents),
    blobs: capability('blobs', store.blobs),
    registry: capability('registry', store.registry),
    leases: capability('leases', store.leases),
    counters,
    events,
    series,
    audit,
    check,
    now,
    measure,
    clear,
    close,
  }
}
