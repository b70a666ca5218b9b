import type { LiveQuery, LiveRows } from '@godwit/model'

/** Milliseconds that a live query outlives its last subscriber: a component that is mounted again finds its rows. */
const CLOSE_DELAY = 1_000

/** A model that answers live queries, in this thread or another. */
export interface LiveModel {
  readonly name: unknown
  live(options?: never): LiveQuery<object>
}

/** One live query, shared by all components that ask the same of the same model. */
export interface SharedQuery {
  current(): LiveRows<object>
  subscribe(listener: () => void): () => void
  /** Resolves once there are rows or an error. The same promise until then, so that a component can suspend on it. */
  settled(): Promise<void>
}

// Keyed by the model, and not kept in a component: what suspends at its first render loses all of its state.
const queriesOf = new WeakMap<LiveModel, Map<string, SharedQuery>>()

/** Returns the live query of these options; options of equal value share one. */
export function liveQuery(model: LiveModel, options: unknown, key: string): SharedQuery {
  const queries = queriesOf.get(model) ?? new Map<string, SharedQuery>()
  queriesOf.set(model, queries)
  const known = queries.get(key)
  if (known) return known
  return shareQuery(model.live(options as never), { queries, key })
}

interface QueryPlace {
  readonly queries: Map<string, SharedQuery>
  readonly key: string
}

function shareQuery(live: LiveQuery<object>, { queries, key }: QueryPlace): SharedQuery {
  const listeners = new Set<() => void>()
  let stop: (() => void) | undefined
  let forgetting: ReturnType<typeof setTimeout> | undefined
  let settled: Promise<void> | undefined

  function tell(): void {
    for (const listener of [...listeners]) listener()
  }
  function end(): void {
    stop?.()
    stop = undefined
    if (queries.get(key) === query) queries.delete(key)
  }
  function linger(): void {
    // A component that was hidden meanwhile comes back to a query that was over.
    if (!queries.has(key)) queries.set(key, query)
    clearTimeout(forgetting)
    forgetting = listeners.size === 0 ? setTimeout(end, CLOSE_DELAY) : undefined
    // A Node process that renders does not wait for it.
    ;(forgetting as { unref?: () => void } | undefined)?.unref?.()
  }
  // Asked once for the first look and the subscription: the linger ends what is rendered and never mounted.
  function begin(): void {
    if (stop) return
    stop = live.subscribe(tell)
    linger()
  }

  const query: SharedQuery = {
    current() {
      begin()
      return live.current()
    },
    subscribe(listener) {
      listeners.add(listener)
      begin()
      linger()
      return () => {
        listeners.delete(listener)
        linger()
      }
    },
    settled() {
      settled ??= new Promise(resolve => {
        const unsubscribe = query.subscribe(look)
        function look(): void {
          if (live.current().status === 'loading') return
          resolve()
          queueMicrotask(() => unsubscribe())
        }
        look()
      })
      return settled
    },
  }
  // A server that renders neither looks at it nor subscribes.
  linger()
  return query
}
