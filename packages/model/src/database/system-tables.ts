import { quote } from '../columns/table-shape.js'
import type { DeviceDatabase } from './database.js'
import { FILES } from './files.js'

const MAIN = `CREATE TABLE IF NOT EXISTS main.setting (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;`

/**
 * The tables of each partition's file other than those of its models. Each file is self-contained, because a commit is atomic only per file.
 *
 * - model: the definitions, compared with those of the app at the next opening.
 * - source: the sync state of each source, as JSON (`SourceState`).
 * - outbox: undecided changes in order. `key` is set with the first request; from then on the content is fixed. An object's first entry, whose number
 *   its row stores, holds the server's row: `version` (NULL: no such row), `pass`, `dead` (removed), `beneath` (attributes; NULL: derived from the
 *   change). If a name repeats in `attributes` or `was`, the last member counts, and null in `was` means absent, because SQL writes bulk operations.
 *   `first` is the object's first entry (NULL in that entry itself). `hidden` is 1 in a first entry if the app sees no row that could refer to it.
 * - entry_count: the number of entries up to the entry `through`. A delete lowers `through` to the last entry, so that new entries are above it.
 * - named: temporary ids to which entries refer, while the creates of these ids are undecided.
 * - removed: tombstones of the running pass.
 * - link: temporary id → real id. `spread` is 1 once the real id is also written into rows of local models.
 * - overwritten: values of others that changes of this device replaced, until the app dismisses them.
 * - blob_wanted: blobs of rows from the server that are not downloaded yet.
 * - blob_absent: wanted blobs that the server did not have, with the time of the next request (milliseconds since 1970).
 * - blob_own: hashes of the files that this device sent for attributes without `overwrite`.
 * - call_note: calls from other threads that wrote to this file, with the reply and all written files (`at`: milliseconds since 1970).
 * - copy: what the device has of each partition of a source with `by`: its sync state as JSON, and the last error.
 * - copy_removed: tombstones of the running pass of a copy.
 * - membership: what copies have of objects whose row is led by another copy.
 * - lead: the leading copies of objects without a visible row.
 * - route: the copies to which entries were sent.
 * - subscription: the partitions that the server lists and the app subscribed to. `until`: milliseconds since 1970.
 * - text_index: the `seq` up to which the rows of a model are in its full-text index.
 */
const scopeTables = (schema: string): string => `
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
CREATE TABLE IF NOT EXISTS ${schema}.overwritten (
  id INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL, object TEXT NOT NULL, operation TEXT NOT NULL,
  attributes TEXT NOT NULL, overwrote TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS ${schema}.blob_wanted (model TEXT, object TEXT, hash TEXT, PRIMARY KEY (model, object, hash)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.blob_absent (
  model TEXT, object TEXT, hash TEXT, tries INTEGER NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (model, object, hash)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.blob_own (model TEXT, object TEXT, attribute TEXT, hash TEXT NOT NULL, PRIMARY KEY (model, object, attribute)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.copy (id INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL, partition TEXT NOT NULL, state TEXT, failure TEXT, UNIQUE (model, partition));
CREATE TABLE IF NOT EXISTS ${schema}.copy_removed (copy INTEGER, object TEXT, version INTEGER NOT NULL, PRIMARY KEY (copy, object)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.membership (
  model TEXT, object TEXT, copy INTEGER, version INTEGER NOT NULL, pass INTEGER NOT NULL, attributes TEXT NOT NULL, PRIMARY KEY (model, object, copy)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${schema}.membership_copy ON membership (copy);
CREATE TABLE IF NOT EXISTS ${schema}.lead (model TEXT, object TEXT, copy INTEGER NOT NULL, PRIMARY KEY (model, object)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.route (entry INTEGER PRIMARY KEY, copy INTEGER, tries INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS ${schema}.route_copy ON route (copy);
CREATE TABLE IF NOT EXISTS ${schema}.subscription (
  model TEXT, partition TEXT, listed INTEGER NOT NULL, app INTEGER NOT NULL, keep INTEGER NOT NULL, priority INTEGER NOT NULL, until INTEGER,
  PRIMARY KEY (model, partition)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${schema}.text_index (model TEXT PRIMARY KEY, through INTEGER NOT NULL) WITHOUT ROWID;
`

const calls = (file: string): string =>
  `CREATE TABLE IF NOT EXISTS ${file}.call_note (page TEXT, number INTEGER, files TEXT NOT NULL, reply TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (page, number)) WITHOUT ROWID;`

/** Creates missing tables. `application_id` stores a hash of the tables' SQL, so that an opening only compares it. */
export function makeSystemTables(database: DeviceDatabase): void {
  for (const file of FILES) {
    const schema = quote(file)
    const tables = calls(schema) + (file === 'main' ? MAIN : scopeTables(schema))
    const sum = sumOf(tables)
    const made = `PRAGMA ${schema}.application_id`
    if (database.withStatement(made, pragma => pragma.arrays()[0]?.[0]) === sum) continue
    database.exec(tables)
    database.exec(`${made} = ${sum}`)
  }
}

/** Returns a 31-bit hash. It is never 0, the value in a new file. */
function sumOf(text: string): number {
  let sum = 7
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) & 0x7fffffff
  return sum || 1
}
