import { column, PowerSyncDatabase, Schema, Table, WASQLiteVFS } from '@powersync/web'
import { TEXTS } from '../../src/device-rows.js'
import type { OpenPageSystem } from '../page-system.js'

const { text, integer } = column
const COLUMNS = [...TEXTS, 'rank'] as const
const INSERT = `INSERT INTO item (id, ${COLUMNS.join(', ')}) VALUES (?, ${COLUMNS.map(() => '?').join(', ')})`

/** SQLite on the origin private file system, with an upload queue. */
export const open: OpenPageSystem = async () => {
  const item = new Table(
    { ...Object.fromEntries(TEXTS.map(name => [name, text])), rank: integer },
    { indexes: { byIndexed: ['indexed'] } },
  )
  const database = new PowerSyncDatabase({
    schema: new Schema({ item }),
    database: { dbFilename: 'bench.db', vfs: WASQLiteVFS.OPFSCoopSyncVFS, enableMultiTabs: false },
  })
  await database.init()
  const select = 'SELECT * FROM item WHERE indexed = ?'
  const valuesOf = (row: object) => ['id', ...COLUMNS].map(name => (row as { readonly [name: string]: unknown })[name])
  return {
    store: rows =>
      database.writeTransaction(async transaction => {
        await transaction.executeBatch(INSERT, rows.map(valuesOf) as never)
      }),
    create: row => database.execute(INSERT, valuesOf(row)),
    find: async group => (await database.getAll(select, [group])).length,
    async live(group, report) {
      const ended = new AbortController()
      database.watch(
        select,
        [group],
        { onResult: result => report(result.rows?.length ?? 0) },
        { signal: ended.signal, throttleMs: 0 },
      )
      return () => ended.abort()
    },
  }
}
