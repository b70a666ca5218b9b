import type { Attributes } from '@godwit/protocol'

/** A refusal as the app heard it. */
export interface Told {
  readonly status: string
  /** Why. */
  readonly code: string
  readonly model: string
  readonly object: string
  readonly operation: string
  readonly attributes: Attributes
}
