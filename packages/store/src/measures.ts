/** Undecided mutations are counted up to so many, all states together. */
export const MOST_COUNTED = 20_000

/** What a store holds, for whoever watches it. */
export interface Measures {
  /** On disk, or in the memory of the service behind it. Undefined: not known. */
  readonly bytes: number | undefined
  /** Mutations without an outcome, over all collections. */
  readonly undecided: { readonly queued: number; readonly started: number; readonly in_doubt: number }
}
