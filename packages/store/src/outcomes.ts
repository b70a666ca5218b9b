import type { Outcome } from '@godwit/protocol'

/** A page of a client's outcomes. */
export interface OutcomePage {
  /** Lists outcomes after this number. */
  readonly after: number
  readonly limit: number
}

/** Outcomes of one client, in order. */
export interface Outcomes {
  readonly outcomes: readonly Outcome[]
  /** The client's highest outcome number, 0 if it has none. A client that knows a higher one got it from a journal that has since lost its end. */
  readonly last: number
  /** True if there may be more: there are as many as requested, or as the store reads at once, which is at least one if there are any. */
  readonly more: boolean
}
