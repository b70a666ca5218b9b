/** Counting the records of a kind reads an index and no record. */
export const countRecords = `
CREATE INDEX record_to_count ON record (kind, expiresAt);
`
