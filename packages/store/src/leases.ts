import type { CollectionId } from './collections.js'

/**
 * The name of a lease: `query`, for the single query of a collection; `changes`, for
 * the single reader of its source's changes; `drain`, for the single worker of its journal; `server`, for a named task of
 * the whole server.
 */
export type LeaseName =
  | { readonly kind: 'query' | 'changes' | 'drain'; readonly collection: CollectionId }
  | { readonly kind: 'server'; readonly name: string }

/** A granted lease. Writes under it pass its `fence`. */
export interface Lease {
  readonly name: LeaseName
  readonly holder: string
  /** Increases with every grant of this name. */
  readonly fence: number
}

/** Leases, timed by the store's clock. A holder that was suspended past the expiry has a stale fence, so its writes are refused. */
export interface Leases {
  /** Acquires a lease; undefined while another holder has it. The same holder gets it again, with a higher fence. */
  acquire(
    name: LeaseName,
    options: { readonly holder: string; readonly milliseconds: number },
  ): Promise<Lease | undefined>

  /** Extends a lease. False, with nothing changed, if it was granted again or has expired. */
  renew(lease: Lease, milliseconds: number): Promise<boolean>

  /** Ends a lease. Does nothing if it was granted again. */
  release(lease: Lease): Promise<void>
}
