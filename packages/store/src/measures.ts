/** The maximum number of undecided mutations that are counted, over all states. */
export const MAX_COUNTED = 20_000

/** Counts of replicas. */
export interface ReplicaCounts {
  /** Replicas that must confirm a start before a backend is called. */
  readonly wanted: number
  /** Replicas that have caught up. Calls are delayed while there are fewer than wanted. */
  readonly present: number
}

/** The contents and condition of a store, for metrics and operators. */
export interface Measures {
  /** Bytes on disk, or in the memory of the service behind it. Undefined if unknown. */
  readonly bytes: number | undefined
  /** Free bytes on the store's disk. Undefined if unknown, or not a disk of this machine. */
  readonly free?: number | undefined
  /** True if data survives a restart of the service behind the store. Undefined if unknown, or without such a service. */
  readonly persists?: boolean | undefined
  /** What an acknowledged write survives: `full` a power failure of the machine, `normal` a crash of the process. Undefined if the store has no choice. */
  readonly durability?: 'full' | 'normal' | undefined
  /** The counts of the server that lacks most replicas. Undefined if no call waits for any. */
  readonly replicas: ReplicaCounts | undefined
  /** True if the last integrity check succeeded. Undefined before the first, and for stores without one. */
  readonly intact?: boolean | undefined
  /** Mutations without a final outcome, over all collections. */
  readonly undecided: { readonly queued: number; readonly started: number; readonly in_doubt: number }
}
