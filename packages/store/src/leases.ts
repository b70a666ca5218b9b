import type { CollectionId } from './collections.js'

/** What is leased: `query`, the one query of a collection; `drain`, the one worker of its journal; `server`, a task of the whole server, by name. */
export type LeaseName =
  | { readonly kind: 'query' | 'drain'; readonly collection: CollectionId }
  | { readonly kind: 'server'; readonly name: string }

/** A lease as it was granted; a write under it names its `fence`. */
export interface Lease {
  readonly name: LeaseName
  readonly holder: string
  /** Grows at every grant of this name. */
  readonly fence: number
}

/** Leases, judged by the store's clock. A holder that was stopped past its time finds its fence outrun where it writes. */
export interface Leases {
  /** Resolves to undefined while another holder has the lease. The same holder gets it again, with a higher fence. */
  acquire(
    name: LeaseName,
    options: { readonly holder: string; readonly milliseconds: number },
  ): Promise<Lease | undefined>

  /** False: it is not this lease any more, or has run out; nothing was changed. */
  renew(lease: Lease, milliseconds: number): Promise<boolean>

  /** Does nothing if it is not this lease any more. */
  release(lease: Lease): Promise<void>
}
