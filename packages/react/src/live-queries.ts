import type { LiveQuery, LiveRows } from '@godwit/model'

/** Milliseconds that a live query survives its last subscriber, so that a component mounted again finds its rows. */
const CLOSE_DELAY_MS = 1_000

/** A model with live queries, in this thread or another. */
export interface LiveModel {
  readonly name: unknown
  live(options?: never): LiveQuery<object>
}

/** A live query shared by all components with equal options for the same model. */
export interface SharedQuery {
  current(): LiveRows<object>
  subscribe(listener: () => void): () => void
  /** Resolves once there are rows or an error. Returns the same promise until then, so that a component can suspend on it. */
  settled(): Promise<void>
}

// Keyed by the model instead of stored in a component, because a component that suspends at its first render loses its state.
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

  function notify(): void {
    for (const listener of [...listeners]) listener()
  }
  function end(): void {
    stop?.()
    stop = undefined
    if (queries.get(key) === query) queries.delete(key)
  }
  function linger(): void {
    // A component shown again may use a query that has ended and left the map.
    if (!queries.has(key)) queries.set(key, query)
    clearTimeout(forgetting)
    forgetting = listeners.size === 0 ? setTimeout(end, CLOSE_DELAY_MS) : undefined
    // The timer does not keep a Node process alive.
    ;(forgetting as { unref?: () => void } | undefined)?.unref?.()
  }
  // Called by the first read and by each subscription; the delay ends queries that were rendered and never mounted.
  function begin(): void {
    if (stop) return
    stop = live.subscribe(notify)
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
  // Server rendering neither reads nor subscribes, so the delay starts here.
  linger()
  return query
}
