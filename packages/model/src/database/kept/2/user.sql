PRAGMA application_id = 350776943;
PRAGMA user_version = 2;
CREATE TABLE "bag_Note" (seq INTEGER PRIMARY KEY, object TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, pass INTEGER NOT NULL, entry INTEGER, "a_text" TEXT, "rest" TEXT);
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
INSERT INTO "bag_Note" VALUES (1, '1795741541805853836427030700927', 0, 0, 1, 'it''s kept', NULL);
INSERT INTO "entry_count" VALUES (1, 1, 1);
INSERT INTO "model" VALUES ('Note', 1, '{"name":"Note","storage":"bag","partition":"user","syncType":"incremental","syncPriority":1000,"freezed":false,"fullUpdate":false,"passThrough":false,"schemaVersion":0,"attributes":[{"name":"text","type":"String","option":null,"presence":"required"}],"indexes":[],"belongsTo":[],"typed":true}');
INSERT INTO "outbox" VALUES (1, 'Note', '1795741541805853836427030700927', 'create', '{"text":"it''s kept"}', '{}', NULL, NULL, NULL, 'unsent', 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
CREATE INDEX link_real ON link (model, "real");
CREATE INDEX link_spread ON link (spread) WHERE spread = 0;
CREATE INDEX named_entry ON named (entry);
CREATE INDEX outbox_first ON outbox (first) WHERE first IS NOT NULL;
CREATE INDEX outbox_hidden ON outbox (model, object) WHERE hidden = 1;
CREATE INDEX outbox_number ON outbox (model, number) WHERE number IS NOT NULL;
CREATE TRIGGER outbox_removed AFTER DELETE ON outbox BEGIN
  UPDATE entry_count SET entries = entries - (old.entry <= through), through = min(through, ifnull((SELECT max(entry) FROM outbox), 0));
END;
