import type { DeviceDatabase } from './database.js'
import { FILES } from './files.js'
import { quote } from './table-shape.js'

const MAIN = `CREATE TABLE IF NOT EXISTS main.setting (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;`

/**
 * What each partition's file keeps beside the rows of its models. A file is complete by itself: a commit over several files is atomic per file only.
 *
 * - model: the definitions, to compare with at the next opening.
 * - source: where each source stands. `client`, `owner`: for whom; another one starts over.
 * - outbox: undecided changes in order. `key` is set with the first request; content is fixed from then on. The `first` of an object, which its row names,
 *   has the server's row beneath it: `version` (NULL: there is none), `pass`, `dead` (removed there), `beneath` (attributes; NULL: as the change tells).
 *   Of several members with one name in `attributes` and `was` the last counts, and null in `was` is absent: SQL spells rows that are made or removed together.
 *   `hidden`: there is no row to name it, the app sees none.
 * - entry_count: how many entries the outbox has `through` one of them. Lowered to the last there is, so that new entries are always behind it.
 * - named: temporary ids that entries name while their creates are undecided.
 * - removed: tombstones of the running pass.
 * - link: temporary → real id; `spread`: also written into rows of local models.
 * - blob_wanted: blobs that rows from the server name, until they are here.
 * - blob_absent: wanted blobs that the server did not have, and when it is asked again (milliseconds since 1970).
 * - blob_own: what this device sent for attributes without `overwrite`.
 * - call_note: calls of other threads that wrote here, with their replies and all files that they wrote (`at`: milliseconds since 1970).
 * - text_index: through which `seq` the rows of a model are in the index of their words.
 */
const partition = (schema: string): string => `
CREATE TABLE IF NOT EXISTS ${schema}.setting (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.model (name TEXT PRIMARY KEY, source_id INTEGER NOT NULL, definition TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.source (name TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.outbox (
  entry INTEGER PRIMARY KEY, model TEXT NOT NULL, object TEXT NOT NULL, operation TEXT NOT NULL, attributes TEXT NOT NULL, was TEXT NOT NULL,
  seen INTEGER, "key" TEXT, number INTEGER, state TEXT NOT NULL, sent INTEGER NOT NULL, whole TEXT, first INTEGER, hidden INTEGER NOT NULL DEFAULT 0,
  version INTEGER, pass INTEGER, dead INTEGER, beneath TEXT);
CREATE INDEX IF NOT EXISTS ${schema}.outbox_hidden ON outbox (model, object) WHERE hidden = 1;
CREATE INDEX IF NOT EXISTS ${schema}.outbox_first ON outbox (first) WHERE first IS NOT NULL;
CREATE INDEX IF NOT EXISTS ${schema}.outbox_number ON outbox (model, number) WHERE number IS NOT NULL;
DROP INDEX IF EXISTS ${schema}.outbox_all;
CREATE TABLE IF NOT EXISTS ${schema}.entry_count (one INTEGER PRIMARY KEY CHECK (one = 1), through INTEGER NOT NULL, entries INTEGER NOT NULL);
INSERT OR IGNORE INTO ${schema}.entry_count VALUES (1, 0, 0);
CREATE TRIGGER IF NOT EXISTS ${schema}.outbox_removed AFTER DELETE ON outbox BEGIN
  UPDATE entry_count SET entries = entries - (old.entry <= through), through = min(through, ifnull((SELECT max(entry) FROM outbox), 0));
END;
CREATE TABLE IF NOT EXISTS ${schema}.named (owner TEXT, object TEXT, entry INTEGER, PRIMARY KEY (owner, object, entry)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${schema}.named_entry ON named (entry);
CREATE TABLE IF NOT EXISTS ${schema}.removed (model TEXT, object TEXT, version INTEGER NOT NULL, PRIMARY KEY (model, object)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.link (model TEXT, temporary TEXT, "real" TEXT NOT NULL, spread INTEGER NOT NULL, PRIMARY KEY (model, temporary)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${schema}.link_real ON link (model, "real");
CREATE INDEX IF NOT EXISTS ${schema}.link_spread ON link (spread) WHERE spread = 0;
CREATE TABLE IF NOT EXISTS ${schema}.refusal (
  id INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL, object TEXT NOT NULL, operation TEXT NOT NULL, status TEXT NOT NULL,
  attributes TEXT NOT NULL, was TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS ${schema}.blob_wanted (model TEXT, object TEXT, hash TEXT, PRIMARY KEY (model, object, hash)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.blob_absent (
  model TEXT, object TEXT, hash TEXT, tries INTEGER NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (model, object, hash)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.blob_own (model TEXT, object TEXT, attribute TEXT, hash TEXT NOT NULL, PRIMARY KEY (model, object, attribute)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.text_index (model TEXT PRIMARY KEY, through INTEGER NOT NULL) WITHOUT ROWID;
`

const calls = (file: string): string =>
  `CREATE TABLE IF NOT EXISTS ${file}.call_note (page TEXT, number INTEGER, files TEXT NOT NULL, reply TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (page, number)) WITHOUT ROWID;`

/** Creates missing tables. `application_id` records for which tables that was last done, so an opening checks only that. */
export function makeSystemTables(database: DeviceDatabase): void {
  for (const file of FILES) {
    const schema = quote(file)
    const tables = calls(schema) + (file === 'main' ? MAIN : partition(schema))
    const sum = sumOf(tables)
    const made = `PRAGMA ${schema}.application_id`
    if (database.withStatement(made, pragma => pragma.arrays()[0]?.[0]) === sum) continue
    database.exec(tables)
    database.exec(`${made} = ${sum}`)
  }
}

/** A 31-bit hash, never 0, which is the value of a new file. */
function sumOf(text: string): number {
  let sum = 7
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) & 0x7fffffff
  return sum || 1
}
