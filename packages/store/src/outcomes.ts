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
}
