/** Who needs a blob until it is released: it is not swept meanwhile. */
export const blobHolds = `
CREATE TABLE blob_hold (
  blob INTEGER NOT NULL,
  holder TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (blob, holder)
) WITHOUT ROWID;
`
