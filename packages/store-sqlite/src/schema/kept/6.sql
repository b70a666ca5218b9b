PRAGMA application_id = 1197766516;
PRAGMA user_version = 6;
CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE TABLE audit_head (number INTEGER NOT NULL, hash TEXT NOT NULL);
CREATE TABLE batch (
  collection INTEGER NOT NULL,
  version INTEGER NOT NULL,
  mark TEXT NOT NULL,
  time INTEGER NOT NULL,
  PRIMARY KEY (collection, version)
) WITHOUT ROWID;
CREATE TABLE blob (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  received INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  touched INTEGER NOT NULL,
  account TEXT,
  charged INTEGER NOT NULL DEFAULT 0,
  UNIQUE (scope, name)
);
CREATE TABLE blob_account (
  account TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE blob_hold (
  blob INTEGER NOT NULL,
  holder TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (blob, holder)
) WITHOUT ROWID;
CREATE TABLE blob_part (
  blob INTEGER NOT NULL,
  start INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (blob, start)
);
CREATE TABLE change_log (
  collection INTEGER NOT NULL,
  version INTEGER NOT NULL,
  time INTEGER NOT NULL,
  -- JSON: the origins of the commit, null for one that is not known.
  origins TEXT NOT NULL,
  -- JSON: id, version before (negative: a tombstone; 0: none), place of its origin, and so on.
  changes TEXT,
  PRIMARY KEY (collection, version)
) WITHOUT ROWID;
CREATE TABLE client (
  collection INTEGER NOT NULL,
  client TEXT NOT NULL,
  highest INTEGER NOT NULL DEFAULT 0,
  outcomes INTEGER NOT NULL DEFAULT 0,
  acknowledged INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (collection, client)
) WITHOUT ROWID;
CREATE TABLE collection (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  partition TEXT NOT NULL,
  epoch TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  mark TEXT NOT NULL,
  time INTEGER NOT NULL,
  count INTEGER NOT NULL DEFAULT 0,
  checksum TEXT NOT NULL DEFAULT '0000000000000000',
  floor INTEGER NOT NULL DEFAULT 0,
  queriesRequested INTEGER NOT NULL DEFAULT 0,
  queriesServed INTEGER NOT NULL DEFAULT 0,
  -- When a query was asked for last: a backend that shows late what was written to it cannot serve that at once.
  queryRequestedAt INTEGER,
  queriedAt INTEGER,
  nextQuery INTEGER,
  sourceError TEXT,
  sequence INTEGER NOT NULL DEFAULT 0, dueSetAt INTEGER, pendingRemovals TEXT, acceptedRemovals TEXT,
  UNIQUE (source, partition)
);
CREATE TABLE cursor (
  collection INTEGER NOT NULL,
  reader TEXT NOT NULL,
  fence INTEGER NOT NULL,
  cursor TEXT,
  PRIMARY KEY (collection, reader)
) WITHOUT ROWID;
CREATE TABLE document (
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (scope, name)
);
CREATE TABLE dropped (collection INTEGER PRIMARY KEY);
CREATE TABLE dropped_blob (blob INTEGER PRIMARY KEY);
CREATE TABLE job (
  number INTEGER PRIMARY KEY,
  queue TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL,
  "group" TEXT,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  dueAt INTEGER NOT NULL,
  reason TEXT,
  every INTEGER,
  "limit" INTEGER NOT NULL,
  backOff INTEGER NOT NULL,
  until INTEGER,
  fence INTEGER NOT NULL,
  again INTEGER,
  writtenAt INTEGER NOT NULL DEFAULT 0,
  UNIQUE (queue, id)
);
CREATE TABLE lease (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  fence INTEGER NOT NULL,
  until INTEGER NOT NULL,
  since INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE mutation (
  row INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  key TEXT NOT NULL,
  client TEXT NOT NULL,
  number INTEGER NOT NULL,
  user TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  isCreate INTEGER NOT NULL,
  object TEXT NOT NULL,
  content TEXT NOT NULL,
  contentless INTEGER NOT NULL,
  decided INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'queued',
  attempts INTEGER NOT NULL DEFAULT 0,
  fence INTEGER NOT NULL DEFAULT 0,
  until INTEGER NOT NULL DEFAULT 0,
  retryAt INTEGER NOT NULL DEFAULT 0,
  -- When it began to wait: under a clock that was ahead it would wait for all that time too.
  waitsSince INTEGER NOT NULL DEFAULT 0,
  firstStart TEXT,
  -- Until it is acknowledged.
  outcomeNumber INTEGER,
  outcome TEXT
);
CREATE TABLE object (
  row INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  text TEXT
);
CREATE TABLE opening (count INTEGER NOT NULL);
CREATE TABLE owner (
  collection INTEGER NOT NULL,
  owner TEXT NOT NULL,
  mutation INTEGER NOT NULL,
  PRIMARY KEY (collection, owner, mutation)
) WITHOUT ROWID;
CREATE TABLE place (
  collection INTEGER NOT NULL,
  client TEXT NOT NULL,
  number INTEGER NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (collection, client, number)
) WITHOUT ROWID;
CREATE TABLE point (
  series INTEGER NOT NULL,
  time INTEGER NOT NULL,
  count INTEGER,
  sum REAL NOT NULL,
  min REAL,
  max REAL,
  PRIMARY KEY (series, time)
) WITHOUT ROWID;
CREATE TABLE reader (
  collection INTEGER NOT NULL,
  reader TEXT NOT NULL,
  base INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (collection, reader)
) WITHOUT ROWID;
CREATE TABLE record (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT NOT NULL,
  owner TEXT,
  expiresAt INTEGER,
  PRIMARY KEY (kind, id)
);
CREATE TABLE series (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE
);
INSERT INTO "audit" VALUES (1, 'began', 'abc');
INSERT INTO "audit_head" VALUES (1, 'abc');
INSERT INTO "batch" VALUES (1, 0, '_uU-QiLySBFHHGvKZew3qQ', 1760000000000);
INSERT INTO "batch" VALUES (1, 1, '3637XjHZB_mMTPz0Uh7NgQ', 1760000000000);
INSERT INTO "batch" VALUES (1, 2, '7lGYShHoJEsLNRAPD_-mmA', 1760000000000);
INSERT INTO "batch" VALUES (1, 3, 'rikpeBTGrwwIpdH8QjH9Nw', 1760000000000);
INSERT INTO "blob" VALUES (1, 'user:ada', '3f2d1552cdc7483f40dd720c80b900225dfecfd5cae7cd168d79ab6ee5959885', 6, 6, 1, 1760000000000, 'ada', 6);
INSERT INTO "blob_account" VALUES ('ada', 6);
INSERT INTO "blob_hold" VALUES (1, 'Note', 1760000000000);
INSERT INTO "blob_part" VALUES (1, 0, X'000102FDFEFF');
INSERT INTO "change_log" VALUES (1, 1, 1760000000000, '[null]', '[["kept",0,0],["gone",0,0],["long",0,0]]');
INSERT INTO "change_log" VALUES (1, 2, 1760000000000, '[null]', '[["gone",1,0]]');
INSERT INTO "change_log" VALUES (1, 3, 1760000000000, '[{"kind":"device","user":"ada","client":"client-1"}]', '[["kept",1,0]]');
INSERT INTO "client" VALUES (1, 'client-1', 3, 1, 0);
INSERT INTO "collection" VALUES (1, 'Note', 'user:ada', 'RLtas5obxzGQyNuVDJXuDw', 3, 'rikpeBTGrwwIpdH8QjH9Nw', 1760000000000, 2, '32eb012d59cb332c', 0, 1, 0, 1760000000000, NULL, NULL, NULL, 3, NULL, NULL, NULL);
INSERT INTO "cursor" VALUES (1, 'changes', 1, 'cursor-1');
INSERT INTO "document" VALUES ('app', 'greeting', 'map', '{"one":{"text":"hello"}}');
INSERT INTO "job" VALUES (1, 'ping', 'job-1', 'ping', '{"to":["ada"]}', NULL, 'waiting', 0, 1760000060000, NULL, NULL, 5, 1000, NULL, 0, NULL, 1760000000000);
INSERT INTO "lease" VALUES ('["server","sweep"]', 'process-1', 4294967298, 1760000001000, 1760000000000);
INSERT INTO "mutation" VALUES (1, 1, 'key-of-mutation-number-1', 'client-1', 1, 'ada', 1, 0, 'kept', '{"number":1,"key":"key-of-mutation-number-1","operation":"update","object":"kept","attributes":{"text":"written 1"}}', 0, 1, 'decided', 1, 4294967297, 1760000001000, 0, 1760000000000, '{"before":{"state":"live","version":1,"attributes":{"text":"it''s kept"}},"version":2}', 1, '{"outcome":1,"number":1,"status":"applied","version":3,"attributes":{"text":"written 1"}}');
INSERT INTO "mutation" VALUES (2, 1, 'key-of-mutation-number-2', 'client-1', 2, 'ada', 2, 1, 'temporary', '{"number":2,"key":"key-of-mutation-number-2","operation":"create","object":"temporary","attributes":{"text":"written 2"}}', 0, 0, 'queued', 0, 0, 0, 0, 0, NULL, NULL, NULL);
INSERT INTO "mutation" VALUES (3, 1, 'key-of-mutation-number-3', 'client-1', 3, 'ada', 3, 0, 'kept', '{"number":3,"key":"key-of-mutation-number-3","operation":"update","object":"kept","attributes":{"parent":"temporary"},"owners":["temporary"]}', 0, 0, 'queued', 0, 0, 0, 0, 0, NULL, NULL, NULL);
INSERT INTO "object" VALUES (1, 1, 'kept', 3, '{"text":"written 1"}');
INSERT INTO "object" VALUES (2, 1, 'gone', 2, NULL);
INSERT INTO "object" VALUES (3, 1, 'long', 1, '{"text":"ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää"}');
INSERT INTO "opening" VALUES (1);
INSERT INTO "owner" VALUES (1, 'temporary', 3);
INSERT INTO "place" VALUES (1, 'client-1', 1, 'key-of-mutation-number-1');
INSERT INTO "place" VALUES (1, 'client-1', 2, 'key-of-mutation-number-2');
INSERT INTO "place" VALUES (1, 'client-1', 3, 'key-of-mutation-number-3');
INSERT INTO "point" VALUES (1, 1759999980, 2, 0.75, 0.25, 0.5);
INSERT INTO "point" VALUES (2, 1759999980, NULL, 7.0, NULL, NULL);
INSERT INTO "reader" VALUES (1, 'client-1', 1, 1760000000000);
INSERT INTO "record" VALUES ('user', 'ada', '{"role":"device"}', NULL, NULL);
INSERT INTO "record" VALUES ('credential', 'session', '{}', 'ada', 1760000001000);
INSERT INTO "series" VALUES (1, 'pulls');
INSERT INTO "series" VALUES (2, 'users');
INSERT INTO "sqlite_sequence" VALUES ('collection', 1);
INSERT INTO "sqlite_sequence" VALUES ('blob', 1);
CREATE INDEX collection_by_partition ON collection (partition, source);
CREATE INDEX collection_with_removals ON collection (source, partition) WHERE pendingRemovals IS NOT NULL;
CREATE INDEX job_dead ON job (dueAt) WHERE state = 'dead';
CREATE INDEX job_of_group ON job ("group") WHERE state = 'running';
CREATE INDEX job_running ON job (until) WHERE state = 'running';
CREATE INDEX job_waiting ON job (dueAt, number) WHERE state = 'waiting';
CREATE INDEX job_written ON job (writtenAt);
CREATE UNIQUE INDEX mutation_by_key ON mutation (collection, key);
CREATE UNIQUE INDEX mutation_by_outcome ON mutation (collection, client, outcomeNumber)
WHERE outcomeNumber IS NOT NULL;
CREATE INDEX mutation_create ON mutation (collection, object, sequence) WHERE isCreate = 1;
CREATE INDEX mutation_of_object ON mutation (collection, object) WHERE decided = 0;
CREATE INDEX mutation_undecided ON mutation (collection, sequence) WHERE decided = 0;
CREATE UNIQUE INDEX object_by_id ON object (collection, id);
CREATE INDEX object_by_version ON object (collection, version, id);
CREATE INDEX record_by_end ON record (expiresAt) WHERE expiresAt IS NOT NULL;
CREATE INDEX record_by_owner ON record (kind, owner, id);
CREATE INDEX record_to_count ON record (kind, expiresAt);
CREATE INDEX tombstone ON object (collection, version, id) WHERE text IS NULL;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'The audit is only appended to.'); END;
CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
BEGIN SELECT raise(ABORT, 'The audit is only appended to.'); END;
CREATE TRIGGER blob_charge_changed AFTER UPDATE OF account, charged ON blob BEGIN
  UPDATE blob_account SET bytes = bytes - OLD.charged WHERE account = OLD.account;
  DELETE FROM blob_account WHERE account = OLD.account AND bytes <= 0;
  INSERT INTO blob_account (account, bytes) SELECT NEW.account, NEW.charged WHERE NEW.account IS NOT NULL
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER blob_charge_ended AFTER DELETE ON blob WHEN OLD.account IS NOT NULL BEGIN
  UPDATE blob_account SET bytes = bytes - OLD.charged WHERE account = OLD.account;
  DELETE FROM blob_account WHERE account = OLD.account AND bytes <= 0;
END;
CREATE TRIGGER blob_charged AFTER INSERT ON blob WHEN NEW.account IS NOT NULL BEGIN
  INSERT INTO blob_account (account, bytes) VALUES (NEW.account, NEW.charged)
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
