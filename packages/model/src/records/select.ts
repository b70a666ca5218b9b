import type { AttributeValue } from '@godwit/protocol'

/** A SELECT over models. */
export interface Select {
  readonly sql: string
  readonly values: readonly AttributeValue[]
  /** Time limit in milliseconds. Default: the device's. */
  readonly timeoutMilliseconds?: number | undefined
}
