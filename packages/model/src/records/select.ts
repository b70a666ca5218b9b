import type { AttributeValue } from '@godwit/protocol'

/** A SELECT over models. */
export interface Select {
  readonly sql: string
  readonly values: readonly AttributeValue[]
  /** How long it may take. Default: that of the device. */
  readonly timeoutMilliseconds?: number | undefined
}
