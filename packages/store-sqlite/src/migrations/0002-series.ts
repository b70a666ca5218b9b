/** Statistics: one row per key and minute. `count` NULL is a level, whose value is the sum. */
export const series = `
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
