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

/** Everything the server keeps, as the sum of capabilities. A verb asks for what it uses: `Pick<Store, 'collections' | 'events'>`. */
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

  /** Resolves when the store can be read and written; rejects with `store_unavailable`, saying why. */
  check(): Promise<void>

  /** The store's clock, which judges leases, expiry and due times: milliseconds since 1970. */
  now(): Promise<number>

  /** For gauges: what is in it, of one moment. It costs little, however much that is. */
  measure(): Promise<Measures>

  /** Drops everything but the audit and the registry kinds given: collections (so that epochs are new), journals, documents, blobs, leases, counters, series, records. */
  clear(options?: { readonly keep?: readonly RecordKind[] }): Promise<void>

  /** Waits for writes under way, then lets go. A second call does nothing; any use after it rejects with `store_unavailable`. */
  close(): Promise<void>
}

/** What a store is made with; each has a default in the driver. */
export interface StoreOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
  /** Random text of 128 bits or more: epochs and marks. */
  readonly randomId?: () => string
}
