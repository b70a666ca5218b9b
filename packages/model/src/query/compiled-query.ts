import type { SqlValue } from '../platform/driver.js'

/** SQL text, which is equal for all queries of the same shape, and the values to bind. */
export interface CompiledQuery {
  readonly sql: string
  readonly values: readonly SqlValue[]
}
