/** When what waits began to: under a clock that was ahead it would wait for all that time too. */
export const waitsSince = `
ALTER TABLE lease ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mutation ADD COLUMN waitsSince INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN writtenAt INTEGER NOT NULL DEFAULT 0;
CREATE INDEX job_written ON job (writtenAt);
`
