/** How many undecided mutations are counted at most, over all states. */
export const MAX_COUNTED = 20_000

/** Replicas that have what was written. */
export interface ReplicaCounts {
  /** Replicas that must confirm a start before a backend is called. */
  readonly wanted: number
  /** Replicas that keep up. Calls are put off while there are fewer than wanted. */
  readonly present: number
}

/** What a store holds, for metrics and operators. */
export interface Measures {
  /** On disk, or in the memory of the service behind it. Undefined: not known. */
  readonly bytes: number | undefined
  /** What the disk below the store has left, in bytes. Undefined: not known, or no disk of this machine. */
  readonly free?: number | undefined
  /** Whether what was written outlives a restart of the service behind the store. Undefined: not known, or no service. */
  readonly persists?: boolean | undefined
  /** Where there are fewest for what is wanted. Undefined: no call waits for any. */
  readonly replicas: ReplicaCounts | undefined
  /** Whether the last integrity check succeeded. Undefined before the first, and for stores without one. */
  readonly intact?: boolean | undefined
  /** Mutations without an outcome, over all collections. */
  readonly undecided: { readonly queued: number; readonly started: number; readonly in_doubt: number }
}
