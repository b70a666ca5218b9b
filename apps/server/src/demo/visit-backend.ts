import type { Attributes } from '@godwit/protocol'
import { createPrivateFile, restrictToOwner } from '@godwit/store-sqlite'
import Database from 'better-sqlite3'

/** The demo's backend, as a stand-in for a company's own system. It has users and visits, and no notion of devices or sync. */
export interface VisitBackend {
  /** Id → visit. */
  visitsOf(user: string): { readonly [id: string]: Attributes }
  /** Adds a visit and returns its id; a repeated key returns the id of the first call. */
  add(user: string, visit: Attributes, key: string): string
  /** Returns false if the user has no such visit. `null` removes an attribute. */
  change(user: string, id: string, changes: Attributes, key: string): boolean
  remove(user: string, id: string, key: string): void
  /** Stores a photo under the SHA-256 of its bytes. */
  keepPhoto(hash: string, bytes: Uint8Array): void
  /** Returns the photos that a user's visits name. */
  photosOf(user: string): readonly Uint8Array[]
  close(): void
}

/** A repeated request has no effect: its key is stored in the same transaction as its change. Ids are never reused. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS visits (id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, visit TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS visits_by_user ON visits (user);
  CREATE TABLE IF NOT EXISTS done (key TEXT PRIMARY KEY, answer TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS photos (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID;
`

/** A photo arrives before its visit, so unused photos are removed only while no visit is being written. */
const SWEEP = `
  DELETE FROM photos WHERE hash NOT IN (SELECT visit ->> 'photo' FROM visits WHERE visit ->> 'photo' IS NOT NULL)
`

export function openVisitBackend(path: string): VisitBackend {
  if (path !== ':memory:') {
    createPrivateFile(path)
    restrictToOwner(path)
  }
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(SCHEMA)
  database.exec(SWEEP)

  const all = database.prepare<[string], { id: number; visit: string }>(
    'SELECT id, visit FROM visits WHERE user = ? ORDER BY id',
  )
  const one = database.prepare<[string, string], { visit: string }>(
    'SELECT visit FROM visits WHERE id = ? AND user = ?',
  )
  const insert = database.prepare<[string, string]>('INSERT INTO visits (user, visit) VALUES (?, ?)')
  const write = database.prepare<[string, string]>('UPDATE visits SET visit = ? WHERE id = ?')
  const remove = database.prepare<[string, string]>('DELETE FROM visits WHERE id = ? AND user = ?')
  const answered = database.prepare<[string], { answer: string }>('SELECT answer FROM done WHERE key = ?')
  const answer = database.prepare<[string, string]>('INSERT INTO done (key, answer) VALUES (?, ?)')

  const keepPhoto = database.prepare<[string, Uint8Array]>('INSERT OR IGNORE INTO photos (hash, bytes) VALUES (?, ?)')
  const photos = database.prepare<[string], { bytes: Uint8Array }>(
    `SELECT bytes FROM photos WHERE hash IN (SELECT visit ->> 'photo' FROM visits WHERE user = ?)`,
  )

  const once = database.transaction((key: string, work: () => string): string => {
    const before = answered.get(key)
    if (before !== undefined) return before.answer
    const result = work()
    answer.run(key, result)
    return result
  })

  const changeOne = (user: string, id: string, changes: Attributes): string => {
    const present = one.get(id, user)
    if (present === undefined) return 'missing'
    write.run(JSON.stringify(withChanges(JSON.parse(present.visit) as Attributes, changes)), id)
    return 'changed'
  }

  return {
    visitsOf: user => Object.fromEntries(all.all(user).map(({ id, visit }) => [id, JSON.parse(visit) as Attributes])),
    add: (user, visit, key) =>
      once.immediate(key, () => `${insert.run(user, JSON.stringify(withChanges({}, visit))).lastInsertRowid}`),
    change: (user, id, changes, key) => once.immediate(key, () => changeOne(user, id, changes)) === 'changed',
    remove: (user, id, key) =>
      void once.immediate(key, () => (remove.run(id, user).changes > 0 ? 'removed' : 'missing')),
    keepPhoto: (hash, bytes) => void keepPhoto.run(hash, bytes),
    photosOf: user => photos.all(user).map(({ bytes }) => bytes),
    close: () => void database.close(),
  }
}

const withChanges = (visit: Attributes, changes: Attributes): Attributes =>
  Object.fromEntries(Object.entries({ ...visit, ...changes }).filter(([, value]) => value !== null))
