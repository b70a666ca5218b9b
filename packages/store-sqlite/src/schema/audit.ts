/** The audit and its head. Triggers reject updates and deletions. */
export const AUDIT = `
CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  hash TEXT NOT NULL
);

CREATE TABLE audit_head (number INTEGER NOT NULL, hash TEXT NOT NULL);

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'The audit is only appended to.'); END;

CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
BEGIN SELECT raise(ABORT, 'The audit is only appended to.'); END;
`
