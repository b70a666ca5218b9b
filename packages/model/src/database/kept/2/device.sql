PRAGMA application_id = 1136732722;
PRAGMA user_version = 0;
CREATE TABLE call_note (page TEXT, number INTEGER, files TEXT NOT NULL, reply TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (page, number)) WITHOUT ROWID;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
