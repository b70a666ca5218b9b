/** The table of jobs. */
export const JOBS = `
-- The number orders jobs with the same due time.
CREATE TABLE job (
  number INTEGER PRIMARY KEY,
  queue TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL,
  "group" TEXT,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  dueAt INTEGER NOT NULL,
  reason TEXT,
  every INTEGER,
  "limit" INTEGER NOT NULL,
  backOff INTEGER NOT NULL,
  until INTEGER,
  fence INTEGER NOT NULL,
  again INTEGER,
  writtenAt INTEGER NOT NULL DEFAULT 0,
  UNIQUE (queue, id)
);
CREATE INDEX job_waiting ON job (dueAt, number) WHERE state = 'waiting';
CREATE INDEX job_running ON job (until) WHERE state = 'running';
CREATE INDEX job_of_group ON job ("group") WHERE state = 'running';
CREATE INDEX job_dead ON job (dueAt) WHERE state = 'dead';
CREATE INDEX job_written ON job (writtenAt);
`
