/** The rows and status of a live query. `failed` keeps the former rows. */
export type LiveRows<Row> =
  | { readonly status: 'loading'; readonly rows: readonly Row[]; readonly error: undefined }
  | { readonly status: 'ready'; readonly rows: readonly Row[]; readonly error: undefined }
  | { readonly status: 'failed'; readonly rows: readonly Row[]; readonly error: Error }

/** A snapshot and a subscription for frameworks: the snapshot is the same object until the rows change. */
export interface LiveQuery<Row> {
  /** Returns the current snapshot. */
  current(): LiveRows<Row>
  /** Calls the listener after each change. Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
}

/** Observes a query while there are subscribers; without any, the snapshot is the last result. */
export function liveRows<Row>(observe: (callback: (rows: readonly Row[]) => void) => () => void): LiveQuery<Row> {
  const listeners = new Set<() => void>()
  let snapshot: LiveRows<Row> | undefined
  let stop: (() => void) | undefined
  function take(): void {
    try {
      stop = observe(rows => {
        snapshot = { status: 'ready', rows, error: undefined }
        for (const listener of listeners) listener()
      })
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      snapshot = { status: 'failed', rows: snapshot?.rows ?? [], error: failure }
    }
  }
  function end(): void {
    stop?.()
    stop = undefined
  }
  return {
    current() {
      if (!snapshot) {
        take()
        end()
      }
      return snapshot ?? { status: 'loading', rows: [], error: undefined }
    },
    subscribe(listener) {
      if (listeners.size === 0) take()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) end()
      }
    },
  }
}
