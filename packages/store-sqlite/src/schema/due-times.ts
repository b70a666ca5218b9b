/** When the time of a collection's next query was set: one set under a clock that was ahead counts as past. */
export const DUE_TIMES = `
ALTER TABLE collection ADD COLUMN dueSetAt INTEGER;
`
