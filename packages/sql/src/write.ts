import type { Attributes, AttributeValue } from '@godwit/protocol'
import { refusal, type WriteContext } from '@godwit/source'
import { type RawBuilder, sql } from 'kysely'
import type { Connection } from './connection.js'
import type { Database } from './database.js'
import { writeOnce } from './done-keys.js'
import { rowsByKey, type SourceRow, selectList, sourceRow } from './read.js'
import { asRefusal, isRolledBack } from './sql-refusal.js'
import { type Column, tableName } from './table.js'
import { type SourceTable, shapeOf, type TableShape } from './table-shape.js'

/** A write of a device: once for its key, and refused where the database says that it never can be. */
async function write<Result>(
  database: Database,
  source: SourceTable,
  { idempotencyKey, signal }: WriteContext,
  change: (connection: Connection, shape: TableShape) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await writeOnce(database, idempotencyKey, async connection => {
        for (const statement of database.columns.readable) await connection.run(statement)
        return change(connection, await shapeOf(connection, database, source))
      })
    } catch (error) {
      signal.throwIfAborted()
      if (!isRolledBack(error)) throw asRefusal(error)
    }
  }
}

/** Inserts a row, and returns it as it was stored. */
export const insertRow = (
  database: Database,
  source: SourceTable,
  {
    attributes,
    newId,
    context,
  }: { readonly attributes: Attributes; readonly newId: () => string; readonly context: WriteContext },
): Promise<{ readonly id: string; readonly attributes: Attributes }> =>
  write(database, source, context, async (connection, shape) => {
    const values = valuesOf(source, shape, attributes, database)
    if (shape.owner) values.set(shape.owner.name, database.columns.parameter(shape.owner, context.partition))
    if (!shape.key.hasDefault && !values.has(source.key))
      values.set(source.key, database.columns.parameter(shape.key, newId()))
    const into = sql`INSERT INTO ${tableName(source.table)} (${sql.join([...values.keys()].map(name => sql.id(name)))}) VALUES (${sql.join([...values.values()])})`
    const { id, attributes: stored } = await inserted(connection, database, {
      source,
      shape,
      into,
      key: values.get(source.key),
    })
    return { id, attributes: stored }
  })

interface Insertion {
  readonly source: SourceTable
  readonly shape: TableShape
  readonly into: RawBuilder<unknown>
  readonly key: RawBuilder<unknown> | undefined
}

async function inserted(
  connection: Connection,
  database: Database,
  { source, shape, into, key }: Insertion,
): Promise<SourceRow> {
  const list = selectList(database, source, shape)
  if (database.columns.hasReturning) {
    const [row] = await connection.all(sql<{ readonly [alias: string]: string | null }>`${into} RETURNING ${list}`)
    return sourceRow(row ?? {}, database.columns, shape)
  }
  await connection.run(into)
  const [row] = await connection.all(sql<{ readonly [alias: string]: string | null }>`
    SELECT ${list} FROM ${tableName(source.table)} WHERE ${sql.id(source.key)} = ${key ?? sql`last_insert_id()`}`)
  return sourceRow(row ?? {}, database.columns, shape)
}

/** Changes columns of a row of the partition, and returns them as they were stored. */
export const updateRow = (
  database: Database,
  source: SourceTable,
  { id, changes, context }: { readonly id: string; readonly changes: Attributes; readonly context: WriteContext },
): Promise<Attributes> =>
  write(database, source, context, async (connection, shape) => {
    const { version } = source
    const { [version ?? '']: seen, ...rest } = changes
    const values = valuesOf(source, shape, version === undefined ? changes : rest, database)
    const set = [...values].map(([name, value]) => sql`${sql.id(name)} = ${value}`)
    if (version !== undefined) set.push(sql`${sql.id(version)} = ${sql.id(version)} + 1`)
    const checked =
      version === undefined || seen === undefined || seen === null ? [] : [sql`${sql.id(version)} = ${seen}`]
    if (set.length > 0) {
      const changed = await connection.run(
        sql`UPDATE ${tableName(source.table)} SET ${sql.join(set)} WHERE ${sql.join([...rowCondition(source, id, context), ...checked], sql` AND `)}`,
      )
      if (changed === 0)
        throw await goneOrChanged(connection, database, { source, shape, id, partition: context.partition })
    }
    const row = (await rowsByKey(connection, database, { source, shape, ids: [id] })).get(id)
    const names = [...values.keys(), ...(version !== undefined && source.columns.includes(version) ? [version] : [])]
    return Object.fromEntries(names.map(name => [name, row?.attributes[name] ?? null]))
  })

/** Deletes a row of the partition, or marks it as deleted. A row that is gone is a success. */
export const deleteRow = (
  database: Database,
  source: SourceTable,
  { id, context }: { readonly id: string; readonly context: WriteContext },
): Promise<void> =>
  write(database, source, context, async connection => {
    const where = sql.join(rowCondition(source, id, context), sql` AND `)
    const { softDelete } = source
    await connection.run(
      softDelete === undefined
        ? sql`DELETE FROM ${tableName(source.table)} WHERE ${where}`
        : sql`UPDATE ${tableName(source.table)} SET ${sql.id(softDelete)} = CURRENT_TIMESTAMP WHERE ${where}`,
    )
  })

/** The row is one of the partition: a device never reaches those of others. */
const rowCondition = (
  { key, owner, softDelete }: SourceTable,
  id: string,
  { partition }: WriteContext,
): RawBuilder<unknown>[] => [
  sql`${sql.id(key)} = ${id}`,
  ...(owner === undefined ? [] : [sql`${sql.id(owner)} = ${partition}`]),
  ...(softDelete === undefined ? [] : [sql`${sql.id(softDelete)} IS NULL`]),
]

interface MissingRow {
  readonly source: SourceTable
  readonly shape: TableShape
  readonly id: string
  readonly partition: string
}

async function goneOrChanged(
  connection: Connection,
  database: Database,
  { partition, ...row }: MissingRow,
): Promise<Error> {
  const found = (await rowsByKey(connection, database, { ...row, ids: [row.id] })).get(row.id)
  if (found === undefined || (row.source.owner !== undefined && found.owner !== partition))
    return refusal(`There is no row ${row.id} any more.`)
  return refusal(`The row ${row.id} has changed meanwhile.`)
}

/** The values of the columns that devices may write. */
function valuesOf(
  source: SourceTable,
  { all }: TableShape,
  attributes: { readonly [name: string]: AttributeValue | undefined },
  { columns }: Database,
): Map<string, RawBuilder<unknown>> {
  const values = new Map<string, RawBuilder<unknown>>()
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    const column = source.columns.includes(name) ? all.get(name) : undefined
    if (column === undefined) throw refusal(`expected the attributes ${source.columns.join(', ')}, got ${name}.`)
    if (isWritable(source, column)) values.set(name, columns.parameter(column, value))
  }
  return values
}

const isWritable = ({ owner, version }: SourceTable, { name, isGenerated }: Column): boolean =>
  !isGenerated && name !== owner && name !== version
