/** The cursor of a source's changes in a collection, and the highest fence of each reader: the reader of `changes`, and feeds. */
export const CURSORS = `
CREATE TABLE cursor (
  collection INTEGER NOT NULL,
  reader TEXT NOT NULL,
  fence INTEGER NOT NULL,
  cursor TEXT,
  PRIMARY KEY (collection, reader)
) WITHOUT ROWID;
`
