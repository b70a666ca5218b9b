import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { DeviceRow } from '../device-rows.js'
import { type Library, PAGE } from './library.js'

/** SQLite without a library: the upper limit for a device. */
export const byHand: Library = {
  async open(directory, stored) {
    const database = openPlain(directory)
    const insert = database.prepare(
      'INSERT INTO item VALUES (@id, @indexed, @unindexed, @note, @place, @person, @batch, @rank)',
    )
    const insertAll = database.transaction((rows: readonly DeviceRow[]) => {
      for (const row of rows) insert.run(row)
    })
    insertAll(stored)
    const statement = (sql: string) => database.prepare(sql)
    const indexed = statement('SELECT * FROM item WHERE indexed = ?')
    const unindexed = statement('SELECT * FROM item WHERE unindexed = ?')
    const either = statement('SELECT * FROM item WHERE rank < ? OR rank > ?')
    const one = statement('SELECT * FROM item WHERE id = ?')
    const pageUnindexed = statement('SELECT * FROM item ORDER BY unindexed, rowid LIMIT ? OFFSET ?')
    const pageIndexed = statement('SELECT * FROM item ORDER BY indexed, rowid LIMIT ? OFFSET ?')
    const update = statement('UPDATE item SET note = ? WHERE id = ?')
    const remove = statement('DELETE FROM item WHERE batch = ?')
    return {
      createOne: row => void insert.run(row),
      createMany: rows => insertAll(rows),
      findIndexed: group => indexed.all(group).length,
      findUnindexed: group => unindexed.all(group).length,
      findEither: (below, above) => either.all(below, above).length,
      byId: id => (one.get(id) === undefined ? 0 : 1),
      pageUnindexed: page => pageUnindexed.all(PAGE, page * PAGE).length,
      pageIndexed: page => pageIndexed.all(PAGE, page * PAGE).length,
      updateOne: (id, note) => void update.run(note, id),
      removeBatch: batch => remove.run(batch).changes,
      close: () => void database.close(),
    }
  },
}

/** Opens the table shared by libraries on better-sqlite3, with Godwit's settings. */
export function openPlain(directory: string): Database.Database {
  const database = new Database(join(directory, 'plain.sqlite'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('cache_size = -8000')
  database.pragma('mmap_size = 268435456')
  database.exec(
    `CREATE TABLE item (id TEXT PRIMARY KEY, indexed TEXT, unindexed TEXT, note TEXT, place TEXT, person TEXT, batch TEXT, rank INTEGER);
     CREATE INDEX item_indexed ON item (indexed)`,
  )
  return database
}
