import type { DeviceDatabase } from '../database/database.js'
import type { SqlValue } from '../platform/driver.js'
import type { CompiledQuery } from '../query/compiled-query.js'
import type { Query } from '../query/query-tree.js'
import { blamingSql } from '../query/sql-errors.js'

/** Returns the rows of a compiled query, within the time limit if its condition has SQL of the app. */
export function queryRows(
  database: DeviceDatabase,
  query: Query,
  { sql, values }: CompiledQuery,
): readonly (readonly SqlValue[])[] {
  const milliseconds = database.sqlTimeoutMilliseconds
  return blamingSql(query, written => {
    const statement = database.prepare(sql)
    if (written === undefined || milliseconds === undefined) return statement.arrays(...values)
    return database.within({ sql: written, milliseconds }, () => statement.iterateArrays(...values))
  })
}
