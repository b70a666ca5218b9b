/** The origins of the last commits of each collection. `changes` is NULL if there were too many objects to list. */
export const CHANGE_LOG = `
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
`
