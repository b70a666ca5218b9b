import type { DatabaseSync } from 'node:sqlite'
import { Checksum } from '@godwit/protocol'
import type { ChangeRow } from '@godwit/store'

/** The facts about one source in a file, besides its rows. */
export interface BulkFacts {
  readonly epoch: string
  /** The version of the collection that the rows show. */
  readonly head: number
  readonly count: number
  /** The checksum of the rows, as in the collection's head. */
  readonly checksum: string
}

/** A writer for the rows of one source. */
export interface BulkFileSource {
  /** Removes all rows. */
  clear(): void
  /** Adds rows in the order of versions. Rows above `start` may be in the file already in an older version. */
  add(rows: readonly ChangeRow[], start: number): void
  end(facts: BulkFacts): void
  readonly checksum: string
}

/** A bulk file being written, one source after the other. */
export interface BulkFile {
  begin(name: string): BulkFileSource
  close(): void
}

/** No journal, since the file is read only when complete and dropped after a crash. Rows are in the order of versions, those of a source together. */
const SCHEMA = `
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000;
CREATE TABLE source (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, epoch TEXT, head INTEGER, count INTEGER, checksum TEXT);
CREATE TABLE object (row INTEGER PRIMARY KEY, source INTEGER NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, attributes TEXT NOT NULL);
BEGIN`

/** Creates a SQLite file with the SQLite of Node, since the store may not use SQLite. */
export function openBulkFile(path: string): BulkFile {
  // Not by `import`: before Node 24 loading it prints a warning, which only builders of bulk data should see.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(path)
  database.exec(SCHEMA)
  return {
    begin: name => beginSource(database, name),
    close() {
      database.exec('COMMIT; DROP INDEX IF EXISTS object_id')
      database.close()
    },
  }
}

function beginSource(database: DatabaseSync, name: string): BulkFileSource {
  const source = Number(database.prepare('INSERT INTO source (name) VALUES (?)').run(name).lastInsertRowid)
  const insert = database.prepare('INSERT INTO object (source, id, version, attributes) VALUES (?, ?, ?, ?)')
  let checksum = new Checksum()
  const drop = (id: string): void => {
    const sql = 'DELETE FROM object WHERE source = ? AND id = ? RETURNING version'
    const gone = database.prepare(sql).get(source, id)
    if (gone) checksum.remove(id, Number(gone['version']))
  }
  return {
    clear() {
      database.prepare('DELETE FROM object WHERE source = ?').run(source)
      checksum = new Checksum()
    },
    add(rows, start) {
      // Updated rows are rare, so the index is created at the first one.
      if (rows.some(({ version }) => version > start))
        database.exec('CREATE INDEX IF NOT EXISTS object_id ON object (source, id)')
      for (const { id, version, text } of rows) {
        if (version > start) drop(id)
        if (text === null) continue
        insert.run(source, id, version, text)
        checksum.add(id, version)
      }
    },
    end({ epoch, head, count, checksum: sum }) {
      const sql = 'UPDATE source SET epoch = ?, head = ?, count = ?, checksum = ? WHERE number = ?'
      database.prepare(sql).run(epoch, head, count, sum, source)
    },
    get checksum() {
      return checksum.toString()
    },
  }
}
