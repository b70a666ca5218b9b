/** Undecided mutations are counted up to so many, all states together. */
export const MOST_COUNTED = 20_000

/** Replicas that have what was written. */
export interface ReplicasMeasured {
  /** So many have to know of a call before it begins. */
  readonly wanted: number
  /** So many keep up. Less than wanted: calls are put off. */
  readonly present: number
}

/** What a store holds, for whoever watches it. */
export interface Measures {
  /** On disk, or in the memory of the service behind it. Undefined: not known. */
  readonly bytes: number | undefined
  /** Whether what was written outlives a restart of the service behind the store. Undefined: not known, or no service. */
  readonly persists?: boolean | undefined
  /** Where there are fewest for what is wanted. Undefined: no call waits for any. */
  readonly replicas: ReplicasMeasured | undefined
  /** Whether the last look at all that is kept found it whole. Undefined: nobody has looked, or the store cannot tell. */
  readonly intact?: boolean | undefined
  /** Mutations without an outcome, over all collections. */
  readonly undecided: { readonly queued: number; readonly started: number; readonly in_doubt: number }
}
