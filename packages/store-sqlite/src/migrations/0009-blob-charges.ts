/** Accounts that blobs are charged to. The triggers keep the sums true, however a blob goes. */
export const blobCharges = `
ALTER TABLE blob ADD COLUMN account TEXT;
ALTER TABLE blob ADD COLUMN charged INTEGER NOT NULL DEFAULT 0;

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
