import type { Audit } from './audit.js'
import type { Blobs } from './blobs.js'
import type { Collections } from './collections.js'
import type { Counters } from './counters.js'
import type { Documents } from './documents.js'
import type { Events } from './events.js'
import type { Journal } from './journal.js'
import type { Leases } from './leases.js'
import type { Measures } from './measures.js'
import type { RecordKind, Registry } from './registry.js'
import type { Series } from './series.js'

/** The storage of the server, as the sum of its capabilities. A function declares those that it uses: `Pick<Store, 'collections' | 'events'>`. */
export interface Store {
  readonly collections: Collections
  readonly journal: Journal
  readonly documents: Documents
  readonly blobs: Blobs
  readonly registry: Registry
  readonly leases: Leases
  readonly counters: Counters
  readonly events: Events
  readonly series: Series
  readonly audit: Audit

  /** Resolves if the store can be read and written; rejects with `store_unavailable` and the reason otherwise. */
  check(): Promise<void>

  /** Returns the store's time in milliseconds since 1970, which decides about leases, expiry and due times. */
  now(): Promise<number>

  /** Measures the store for metrics, at a cost that does not depend on its size. */
  measure(): Promise<Measures>

  /**
   * Deletes everything except the audit and the given kinds of records: collections (whose epochs are then new), journals, documents, blobs, leases,
   * counters, series, records.
   */
  clear(options?: { readonly keep?: readonly RecordKind[] }): Promise<void>

  /** Waits for writes in progress, then closes the store. A second call has no effect; any use afterwards rejects with `store_unavailable`. */
  close(): Promise<void>
}

/** The options of a store; the driver has defaults. */
export interface StoreOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
  /** Returns random text of 128 bits or more, for epochs and marks. */
  readonly randomId?: () => string
}
