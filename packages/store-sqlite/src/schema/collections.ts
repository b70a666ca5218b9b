/**
 * Collections, their objects and history. A collection's number is never reused, so leftovers of a dropped one can be swept while a new one of that
 * name exists.
 */
export const COLLECTIONS = `
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
  -- When a query was asked for last: a backend that shows late what was written to it cannot serve that at once.
  askedAt INTEGER,
  queriedAt INTEGER,
  nextQuery INTEGER,
  sourceError TEXT,
  sequence INTEGER NOT NULL DEFAULT 0,
  UNIQUE (source, partition)
);
CREATE INDEX collection_by_partition ON collection (partition, source);

CREATE TABLE dropped (collection INTEGER PRIMARY KEY);

-- One row per object; a NULL text is a tombstone.
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
`
