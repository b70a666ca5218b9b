/**
 * Text is compared byte by byte (BINARY over UTF-8), which is the order of ids that the contract names.
 * A collection's number is never used twice: what a drop leaves behind can be swept while the next collection of that name lives.
 */
export const first = `
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
  asked INTEGER NOT NULL DEFAULT 0,
  served INTEGER NOT NULL DEFAULT 0,
  queriedAt INTEGER,
  nextQuery INTEGER,
  sourceError TEXT,
  sequence INTEGER NOT NULL DEFAULT 0,
  UNIQUE (source, partition)
);
CREATE INDEX collection_by_partition ON collection (partition, source);

CREATE TABLE dropped (collection INTEGER PRIMARY KEY);

-- One row per object; text NULL is a tombstone.
CREATE TABLE object (
  row INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  text TEXT
);
CREATE UNIQUE INDEX object_by_id ON object (collection, id);
CREATE INDEX object_by_version ON object (collection, version, id);
CREATE INDEX tombstone ON object (collection, version, id) WHERE text IS NULL;

CREATE TABLE batch (
  collection INTEGER NOT NULL,
  version INTEGER NOT NULL,
  mark TEXT NOT NULL,
  time INTEGER NOT NULL,
  PRIMARY KEY (collection, version)
) WITHOUT ROWID;

CREATE TABLE reader (
  collection INTEGER NOT NULL,
  reader TEXT NOT NULL,
  base INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (collection, reader)
) WITHOUT ROWID;

-- The journal. Content is the mutation as JSON; what decides about order and owners has columns.
-- A start changes no indexed column: most of a mutation's life is written in place.
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
  firstStart TEXT,
  -- Until it is acknowledged.
  outcomeNumber INTEGER,
  outcome TEXT
);
CREATE UNIQUE INDEX mutation_by_key ON mutation (collection, key);
CREATE INDEX mutation_undecided ON mutation (collection, sequence) WHERE decided = 0;
CREATE INDEX mutation_of_object ON mutation (collection, object) WHERE decided = 0;
CREATE INDEX mutation_create ON mutation (collection, object, sequence) WHERE isCreate = 1;
CREATE UNIQUE INDEX mutation_by_outcome ON mutation (collection, client, outcomeNumber)
WHERE outcomeNumber IS NOT NULL;

-- The key that a client once pushed under a number, for ever.
CREATE TABLE place (
  collection INTEGER NOT NULL,
  client TEXT NOT NULL,
  number INTEGER NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (collection, client, number)
) WITHOUT ROWID;

-- Temporary ids that undecided mutations name.
CREATE TABLE owner (
  collection INTEGER NOT NULL,
  owner TEXT NOT NULL,
  mutation INTEGER NOT NULL,
  PRIMARY KEY (collection, owner, mutation)
) WITHOUT ROWID;

CREATE TABLE client (
  collection INTEGER NOT NULL,
  client TEXT NOT NULL,
  highest INTEGER NOT NULL DEFAULT 0,
  outcomes INTEGER NOT NULL DEFAULT 0,
  acknowledged INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (collection, client)
) WITHOUT ROWID;

CREATE TABLE document (
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (scope, name)
);

CREATE TABLE record (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT NOT NULL,
  owner TEXT,
  expiresAt INTEGER,
  PRIMARY KEY (kind, id)
);
CREATE INDEX record_by_owner ON record (kind, owner, id);
CREATE INDEX record_by_end ON record (expiresAt) WHERE expiresAt IS NOT NULL;

-- Counts how often the store was opened: fences begin above all that were given before.
CREATE TABLE opening (count INTEGER NOT NULL);
INSERT INTO opening VALUES (0);

CREATE TABLE lease (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  fence INTEGER NOT NULL,
  until INTEGER NOT NULL
);
`
