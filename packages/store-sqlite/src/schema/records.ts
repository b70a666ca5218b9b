/** Documents, the registry, leases and statistics. A point with a NULL `count` is a level; its value is the sum. */
export const RECORDS = `
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
-- A covering index to count the records of a kind.
CREATE INDEX record_to_count ON record (kind, expiresAt);
CREATE INDEX record_by_end ON record (expiresAt) WHERE expiresAt IS NOT NULL;

-- How often the store was opened: fences of an opening are higher than all before.
CREATE TABLE opening (count INTEGER NOT NULL);
INSERT INTO opening VALUES (0);

CREATE TABLE lease (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  fence INTEGER NOT NULL,
  until INTEGER NOT NULL,
  since INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE series (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE
);

CREATE TABLE point (
  series INTEGER NOT NULL,
  time INTEGER NOT NULL,
  count INTEGER,
  sum REAL NOT NULL,
  min REAL,
  max REAL,
  PRIMARY KEY (series, time)
) WITHOUT ROWID;
`
