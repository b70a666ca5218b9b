/** Blobs in parts as received, their holders and the accounts charged. Triggers update the accounts' sums. */
export const BLOBS = `
CREATE TABLE blob (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  received INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  touched INTEGER NOT NULL,
  account TEXT,
  charged INTEGER NOT NULL DEFAULT 0,
  UNIQUE (scope, name)
);

CREATE TABLE blob_part (
  blob INTEGER NOT NULL,
  start INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (blob, start)
);

CREATE TABLE dropped_blob (blob INTEGER PRIMARY KEY);

-- A blob is not removed while it is held.
CREATE TABLE blob_hold (
  blob INTEGER NOT NULL,
  holder TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (blob, holder)
) WITHOUT ROWID;

CREATE TABLE blob_account (
  account TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TRIGGER blob_charged AFTER INSERT ON blob WHEN NEW.account IS NOT NULL BEGIN
  INSERT INTO blob_account (account, bytes) VALUES (NEW.account, NEW.charged)
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER blob_charge_ended AFTER DELETE ON blob WHEN OLD.account IS NOT NULL BEGIN
  UPDATE blob_account SET bytes = bytes - OLD.charged WHERE account = OLD.account;
  DELETE FROM blob_account WHERE account = OLD.account AND bytes <= 0;
END;

CREATE TRIGGER blob_charge_changed AFTER UPDATE OF account, charged ON blob BEGIN
  UPDATE blob_account SET bytes = bytes - OLD.charged WHERE account = OLD.account;
  DELETE FROM blob_account WHERE account = OLD.account AND bytes <= 0;
  INSERT INTO blob_account (account, bytes) SELECT NEW.account, NEW.charged WHERE NEW.account IS NOT NULL
  ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;
`
