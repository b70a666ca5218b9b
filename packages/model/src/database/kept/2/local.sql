PRAGMA application_id = 1185538523;
PRAGMA user_version = 2;
CREATE TABLE blob_absent (
  model TEXT, object TEXT, hash TEXT, tries INTEGER NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (model, object, hash)) WITHOUT ROWID;
CREATE TABLE blob_own (model TEXT, object TEXT, attribute TEXT, hash TEXT NOT NULL, PRIMARY KEY (model, object, attribute)) WITHOUT ROWID;
CREATE TABLE blob_wanted (model TEXT, object TEXT, hash TEXT, PRIMARY KEY (model, object, hash)) WITHOUT ROWID;
CREATE TABLE call_note (page TEXT, number INTEGER, files TEXT NOT NULL, reply TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (page, number)) WITHOUT ROWID;
CREATE TABLE entry_count (one INTEGER PRIMARY KEY CHECK (one = 1), through INTEGER NOT NULL, entries INTEGER NOT NULL);
CREATE TABLE link (model TEXT, temporary TEXT, "real" TEXT NOT NULL, spread INTEGER NOT NULL, PRIMARY KEY (model, temporary)) WITHOUT ROWID;
CREATE TABLE model (name TEXT PRIMARY KEY, source_id INTEGER NOT NULL, definition TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE named (owner TEXT, object TEXT, entry INTEGER, PRIMARY KEY (owner, object, entry)) WITHOUT ROWID;
CREATE TABLE outbox (
  entry INTEGER PRIMARY KEY, model TEXT NOT NULL, object TEXT NOT NULL, operation TEXT NOT NULL, attributes TEXT NOT NULL, was TEXT NOT NULL,
  seen INTEGER, "key" TEXT, number INTEGER, state TEXT NOT NULL, sent INTEGER NOT NULL, whole TEXT, first INTEGER, hidden INTEGER NOT NULL DEFAULT 0,
  version INTEGER, pass INTEGER, dead INTEGER, beneath TEXT);
CREATE TABLE refusal (
  id INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL, object TEXT NOT NULL, operation TEXT NOT NULL, status TEXT NOT NULL,
  attributes TEXT NOT NULL, was TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE removed (model TEXT, object TEXT, version INTEGER NOT NULL, PRIMARY KEY (model, object)) WITHOUT ROWID;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE source (name TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE text_index (model TEXT PRIMARY KEY, through INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "entry_count" VALUES (1, 0, 0);
CREATE INDEX link_real ON link (model, "real");
CREATE INDEX link_spread ON link (spread) WHERE spread = 0;
CREATE INDEX named_entry ON named (entry);
CREATE INDEX outbox_first ON outbox (first) WHERE first IS NOT NULL;
CREATE INDEX outbox_hidden ON outbox (model, object) WHERE hidden = 1;
CREATE INDEX outbox_number ON outbox (model, number) WHERE number IS NOT NULL;
CREATE TRIGGER outbox_removed AFTER DELETE ON outbox BEGIN
  UPDATE entry_count SET entries = entries - (old.entry <= through), through = min(through, ifnull((SELECT max(entry) FROM outbox), 0));
END;
