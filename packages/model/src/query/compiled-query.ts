import type { SqlValue } from '../database/driver.js'

/** SQL text, the same for every query of one shape, and the values to bind. */
export interface CompiledQuery {
  readonly sql: string
  readonly values: readonly SqlValue[]
}
