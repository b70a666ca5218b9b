/** Blobs in parts as they came. A removed blob is gone at once; its parts are swept afterwards. */
export const blobs = `
CREATE TABLE blob (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  received INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  touched INTEGER NOT NULL,
  UNIQUE (scope, name)
);

CREATE TABLE blob_part (
  blob INTEGER NOT NULL,
  start INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (blob, start)
);

CREATE TABLE dropped_blob (blob INTEGER PRIMARY KEY);
`
