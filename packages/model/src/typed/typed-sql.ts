import { type AttributeValue, SyncError } from '@godwit/protocol'
import { valueText } from '../definition/value-text.js'
import type { Device } from '../records/device-interface.js'
import { storedValueOf } from './attribute-definition.js'
import { checkCallback } from './check-callback.js'
import type { SqlValue } from './find-options.js'
import type { Access, AccessResult } from './typed-model.js'

type SqlCell = string | number | null
interface AnyRow {
  readonly [column: string]: SqlCell
}
type NamedCells<T> = { readonly [K in keyof T]: SqlCell }

/** Options of a SELECT. */
export interface SqlOptions {
  /** Time limit in milliseconds, after which the query fails with `sql_timeout`. Default: the device's `sqlTimeoutMilliseconds`; `Infinity`: none. */
  readonly timeoutMilliseconds?: number | undefined
}

/**
 * Read-only SELECTs over views with the models' names and attributes, and `id`. Values are those of the database: timestamps are UTC text, Booleans 1
 * or 0, JSON is text, a file its hash. Throws `query_invalid` for statements that write.
 */
export interface Sql<P extends Access = 'here'> {
  /** Returns all rows of a SELECT; each `?` is one of the values. */
  all<T extends NamedCells<T> = AnyRow>(
    text: string,
    values?: readonly SqlValue[],
    options?: SqlOptions,
  ): AccessResult<P, readonly T[]>
  /** Returns the first row of a SELECT; undefined if there is none. */
  first<T extends NamedCells<T> = AnyRow>(
    text: string,
    values?: readonly SqlValue[],
    options?: SqlOptions,
  ): AccessResult<P, T | undefined>
  /**
   * Calls back immediately and after each transaction that changed the rows; the returned function stops it. A query over its time limit is reported
   * once in `events()` and retried after pauses.
   */
  observe<T extends NamedCells<T> = AnyRow>(
    text: string,
    values: readonly SqlValue[],
    callback: (rows: readonly T[]) => void,
  ): () => void
}

/** Creates the `sql` of a device. */
export function createSql(device: Device): Sql {
  const all = (text: string, values: readonly SqlValue[] = [], { timeoutMilliseconds }: SqlOptions = {}) => {
    return device.select({ sql: textOf(text), values: boundValues(values), timeoutMilliseconds })
  }
  const sql = {
    all,
    first: (text: string, values?: readonly SqlValue[], options?: SqlOptions) => all(text, values, options)[0],
    observe: (text: string, values: readonly SqlValue[], callback: (rows: readonly object[]) => void) =>
      device.observeSelect({ sql: textOf(text), values: boundValues(values) }, checkCallback(callback)),
  }
  return sql as unknown as Sql
}

function textOf(text: unknown): string {
  if (typeof text === 'string') return text
  throw invalid(`expected a SELECT as text, got ${valueText(text)}`)
}

function boundValues(values: readonly SqlValue[]): readonly AttributeValue[] {
  if (Array.isArray(values)) return values.map(toBoundValue)
  throw invalid(`expected a list of values, got ${valueText(values)}`)
}

function toBoundValue(value: SqlValue): AttributeValue {
  const stored = storedValueOf(value)
  if (stored === null || ['string', 'number', 'boolean'].includes(typeof stored)) return stored as AttributeValue
  throw invalid(`expected text, a number, a Boolean, null or a Date as a value, got ${valueText(value)}`)
}

const invalid = (problem: string): SyncError => new SyncError('query_invalid', `sql: ${problem}.`)
