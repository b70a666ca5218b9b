import { type AttributeValue, SyncError } from '@godwit/protocol'
import { valueText } from '../definition/value-text.js'
import type { Device } from '../device.js'
import { storedValueOf } from './attribute-definition.js'
import type { SqlValue } from './find-options.js'
import type { Access, AccessResult } from './typed-model.js'

type SqlCell = string | number | null
interface AnyRow {
  readonly [column: string]: SqlCell
}
type NamedCells<T> = { readonly [K in keyof T]: SqlCell }

export interface SqlOptions {
  /** How long it may take before it ends with `sql_timeout`. Default: `sqlTimeoutMilliseconds` of the device; `Infinity`: as long as it takes. */
  readonly timeoutMilliseconds?: number | undefined
}

/**
 * SELECTs over views that are called as the models and have their attributes, and `id`. Rows are as the database has them:
 * a timestamp is UTC text, a Boolean 1 or 0, JSON text, a file its hash. Throws `query_invalid` for whatever writes.
 */
export interface Sql<P extends Access = 'here'> {
  /** All rows of a SELECT; `?` stands for each of the values. */
  all<T extends NamedCells<T> = AnyRow>(
    text: string,
    values?: readonly SqlValue[],
    options?: SqlOptions,
  ): AccessResult<P, readonly T[]>
  /** The first row. */
  first<T extends NamedCells<T> = AnyRow>(
    text: string,
    values?: readonly SqlValue[],
    options?: SqlOptions,
  ): AccessResult<P, T | undefined>
  /**
   * Calls back at once, and after each transaction that changed the rows; call the result to stop. One that takes longer than the device allows is told of once
   * in `events()`, and asked again after pauses.
   */
  observe<T extends NamedCells<T> = AnyRow>(
    text: string,
    values: readonly SqlValue[],
    callback: (rows: readonly T[]) => void,
  ): () => void
}

/** Returns the `sql` of a device: SELECTs over its models, and their live rows. */
export function createSql(device: Device): Sql {
  const all = (text: string, values: readonly SqlValue[] = [], { timeoutMilliseconds }: SqlOptions = {}) => {
    return device.select({ sql: textOf(text), values: values.map(toBoundValue), timeoutMilliseconds })
  }
  const sql = {
    all,
    first: (text: string, values?: readonly SqlValue[], options?: SqlOptions) => all(text, values, options)[0],
    observe: (text: string, values: readonly SqlValue[], callback: (rows: readonly object[]) => void) =>
      device.observeSelect({ sql: textOf(text), values: values.map(toBoundValue) }, callback),
  }
  return sql as unknown as Sql
}

function textOf(text: unknown): string {
  if (typeof text === 'string') return text
  throw invalid(`expected a SELECT as text, got ${valueText(text)}`)
}

function toBoundValue(value: SqlValue): AttributeValue {
  const stored = storedValueOf(value)
  if (stored === null || ['string', 'number', 'boolean'].includes(typeof stored)) return stored as AttributeValue
  throw invalid(`expected text, a number, a Boolean, null or a Date as a value, got ${valueText(value)}`)
}

const invalid = (problem: string): SyncError => new SyncError('query_invalid', `sql: ${problem}.`)
