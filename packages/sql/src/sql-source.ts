import { randomUUID } from 'node:crypto'
import type { Attributes } from '@godwit/protocol'
import { defineSource, type ReadContext, type Source, type SourceDefinition } from '@godwit/source'
import type { Kysely } from 'kysely'
import { type Database, openDatabase } from './database.js'
import { readPartition, readRows, type SourceRow } from './read.js'
import type { SqlFeed } from './sql-feed.js'
import type { SourceTable } from './table-shape.js'
import { deleteRow, insertRow, updateRow } from './write.js'

/** Names of columns of a table. */
type ColumnOf<DB, Table extends keyof DB> = keyof DB[Table] & string

/** Settings and methods of the source beside those of its table. */
type OtherSettings = Omit<
  SourceDefinition<Attributes>,
  'name' | 'partition' | 'query' | 'get' | 'changes' | 'feed' | 'idempotent'
>

/** Options of `sqlSource`. */
export interface SqlSourceOptions<DB, Table extends keyof DB & string> extends OtherSettings {
  /** A feed of `sqlFeed`, by which changes reach devices at once; or a Kysely, whose tables are read at each `pollInterval`. */
  readonly db: SqlFeed<DB> | Kysely<DB>
  /** The name of the source. */
  readonly name: string
  /** The table, with its schema where that is not on the search path: `shop.orders`. */
  readonly table: Table
  /** The primary key, of one column. Its text is the id of the object. */
  readonly key: ColumnOf<DB, Table>
  /** The columns that devices read and write. */
  readonly columns: readonly ColumnOf<DB, Table>[]
  /** The column with the login of the user who has the row, or the name from `partitionName`. Absent: all users see all rows. */
  readonly owner?: ColumnOf<DB, Table>
  /** A column that is null unless the row counts as deleted. A device's delete sets it to the present time. */
  readonly softDelete?: ColumnOf<DB, Table>
  /** A whole number that every write of a device raises. A change that contains it is refused if the row has another one. */
  readonly version?: ColumnOf<DB, Table>
  /** False: devices only read. Default true. */
  readonly writable?: boolean
  /** Makes the key of a row where the table has no default for it. Default: a random UUID. */
  readonly newId?: () => string
}

/**
 * Defines a source over a table: it reads in pages, and writes each change of a device once, in one transaction with its key in the table
 * `godwit_done`.
 *
 * @example
 * ```ts
 * sqlSource({ db, name: 'Order', table: 'orders', key: 'id', columns: ['product', 'amount', 'note'], owner: 'user_login' })
 * ```
 */
export function sqlSource<DB, Table extends keyof DB & string>(options: SqlSourceOptions<DB, Table>): Source {
  const {
    db,
    name,
    table,
    key,
    columns,
    owner,
    softDelete,
    version,
    writable = true,
    newId = randomUUID,
    ...settings
  } = options
  const feed = isFeed(db) ? db : undefined
  const database = isFeed(db) ? db.database : openDatabase(db)
  const source: SourceTable = { source: name, table, key, columns, owner, softDelete, version }
  feed?.add(source)
  return defineSource<Attributes>({
    name,
    partition: owner === undefined ? 'app' : 'user',
    idempotent: true,
    ...settings,
    ...(feed && { feed }),
    async *query(context) {
      for await (const rows of readPartition(database, source, context)) yield objectMap(rows)
      await recordProof(feed, context)
    },
    async get(ids, context) {
      const rows = [...(await readRows(database, source, ids)).values()]
      await recordProof(feed, context)
      return objectMap(owner === undefined ? rows : rows.filter(row => row.owner === context.partition))
    },
    ...(writable && writesOf(database, source, newId)),
  })
}

const isFeed = <DB>(db: SqlFeed<DB> | Kysely<DB>): db is SqlFeed<DB> => 'prove' in db

/** After the last row was read, and before anything is replaced. */
async function recordProof<DB>(feed: SqlFeed<DB> | undefined, context: ReadContext): Promise<void> {
  if (feed) await context.recordProof(await feed.prove())
}

const writesOf = (
  database: Database,
  source: SourceTable,
  newId: () => string,
): Pick<SourceDefinition<Attributes>, 'create' | 'update' | 'delete'> => ({
  create: (attributes, context) => insertRow(database, source, { attributes, newId, context }),
  update: (id, changes, context) => updateRow(database, source, { id, changes: changes as Attributes, context }),
  delete: (id, context) => deleteRow(database, source, { id, context }),
})

const objectMap = (rows: readonly SourceRow[]): { readonly [id: string]: Attributes } =>
  Object.fromEntries(rows.map(({ id, attributes }) => [id, attributes]))
