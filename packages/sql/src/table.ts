import type { AttributeValue } from '@godwit/protocol'
import { type RawBuilder, sql } from 'kysely'
import type { Connection } from './connection.js'

/** A column of a table, as the catalog of the database describes it. */
export interface Column {
  readonly name: string
  /** The name of the type without length, lower case: `int8`, `varchar`, `datetime`. Of an array, the type of its elements. */
  readonly type: string
  readonly isArray: boolean
  /** True if an insert may omit it. */
  readonly hasDefault: boolean
  /** True if the database alone writes it. */
  readonly isGenerated: boolean
}

/** What differs between databases for columns and their values. */
export interface ColumnDialect {
  /** Returns the columns of a table by name; none if there is no such table. */
  describe(connection: Connection, table: string): Promise<ReadonlyMap<string, Column>>
  /** Settings of a transaction in which values are read as text. */
  readonly readable: readonly RawBuilder<unknown>[]
  /** Settings of a transaction whose reads fail where a policy would hide rows. */
  readonly whole: readonly RawBuilder<unknown>[]
  /** The text of a key or owner, as triggers log it. */
  id(column: Column): RawBuilder<unknown>
  /** Selects the value of a column as text. */
  text(column: Column): RawBuilder<unknown>
  /** Converts the text of a value that is not null. */
  toJson(column: Column, text: string): AttributeValue
  /** A value as a parameter of a statement. Null stays null. */
  parameter(column: Column, value: AttributeValue): RawBuilder<unknown>
  /** True if a write can return the row. */
  readonly hasReturning: boolean
}

/** Quotes the name of a table, with its schema if it has one. */
export const tableName = (table: string): RawBuilder<unknown> => sql.id(...table.split('.'))
