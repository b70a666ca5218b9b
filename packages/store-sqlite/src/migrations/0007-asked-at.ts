/** When a query was asked for last: a backend that shows late what was written to it cannot serve that at once. */
export const askedAt = `
ALTER TABLE collection ADD COLUMN askedAt INTEGER;
`
