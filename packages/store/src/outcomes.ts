import type { Outcome } from '@godwit/protocol'

/** Which outcomes of a client are asked for. */
export interface OutcomePage {
  /** The number of one: those after it. */
  readonly after: number
  readonly limit: number
}

/** Outcomes of one client, in their order. */
export interface Outcomes {
  readonly outcomes: readonly Outcome[]
  /** The client's highest outcome number, 0 if it has none. A client that heard of a later one, heard it from a journal that lost its end. */
  readonly last: number
}
