/** The journal. Content is the mutation as JSON; fields that decide about order and owners have columns. */
export const JOURNAL = `
-- A start changes no indexed column, so most updates of a mutation are in place.
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
CREATE UNIQUE INDEX mutation_by_key ON mutation (collection, key);
CREATE INDEX mutation_undecided ON mutation (collection, sequence) WHERE decided = 0;
CREATE INDEX mutation_of_object ON mutation (collection, object) WHERE decided = 0;
CREATE INDEX mutation_create ON mutation (collection, object, sequence) WHERE isCreate = 1;
CREATE UNIQUE INDEX mutation_by_outcome ON mutation (collection, client, outcomeNumber)
WHERE outcomeNumber IS NOT NULL;

-- The key that a client pushed under a number; never deleted while the client exists.
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
`
