import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SyncError } from '@godwit/protocol'
import type Database from 'better-sqlite3'
import { quote } from '../columns/table-shape.js'
import type { Drive, Driver, SqlRow, SqlValue, Statement } from '../platform/driver.js'
import { MAPPED_BYTES } from './mapped-bytes.js'
import { openDirectory } from './open-directory.js'
import { ownDatabase, ownFolder, SUFFIXES } from './own-files.js'
import { databaseError, each, withStatementErrors } from './statement-errors.js'

const BUSY_MILLISECONDS = 5000

/** Loads better-sqlite3; undefined if it is not installed or does not load. */
export async function loadBetterSqlite3(): Promise<typeof Database | undefined> {
  try {
    return (await import('better-sqlite3')).default
  } catch {
    return undefined
  }
}

/** Loads the fork of better-sqlite3 that encrypts files; undefined if it is not installed or does not load. */
export async function loadMultipleCiphers(): Promise<typeof Database | undefined> {
  try {
    return (await import('better-sqlite3-multiple-ciphers')).default
  } catch {
    return undefined
  }
}

/** Returns a drive on a directory, using better-sqlite3 or its encrypting fork. */
export function betterSqlite3Drive(library: typeof Database, directory: string, encryptionKey?: string): Drive {
  openDirectory(directory, () => ownFolder(directory))
  const path = (file: string) => join(directory, file)
  const ownedPath = (file: string): string => {
    ownDatabase(path(file))
    return path(file)
  }
  return {
    open: file =>
      openDirectory(directory, () => driver(open(library, ownedPath(file), encryptionKey), ownedPath, encryptionKey)),
    delete: file => {
      for (const suffix of SUFFIXES) if (existsSync(path(file) + suffix)) rmSync(path(file) + suffix)
    },
    lock: () => openDirectory(directory, () => lock(library, ownedPath('lock.sqlite'))),
  }
}

function open(library: typeof Database, file: string, encryptionKey: string | undefined): Database.Database {
  const database = new library(file, { timeout: BUSY_MILLISECONDS })
  try {
    if (encryptionKey !== undefined) database.pragma(`key = '${encryptionKey.replaceAll("'", "''")}'`)
    database.prepare('SELECT count(*) FROM sqlite_master').get()
    database.pragma('journal_mode = WAL')
    return database
  } catch (cause) {
    database.close()
    throw isUnreadable(cause) ? otherKey(file, cause) : cause
  }
}

const isUnreadable = (cause: unknown): boolean => (cause as { code?: unknown }).code === 'SQLITE_NOTADB'

const otherKey = (file: string, cause: unknown): SyncError =>
  new SyncError(
    'encryption_key_wrong',
    `${file} cannot be read: expected the encryptionKey that it was made with, or none if it was made without one.`,
    { cause },
  )

function driver(database: Database.Database, path: (file: string) => string, encryptionKey?: string): Driver {
  const [key, keys] = encryptionKey === undefined ? ['', []] : [' KEY ?', [encryptionKey]]
  return {
    mappedBytes: MAPPED_BYTES,
    prepare: sql => statement(database, sql),
    exec: sql => void withStatementErrors(sql, () => database.exec(sql)),
    attach: (file, schema) =>
      void withStatementErrors('ATTACH', () => {
        database.prepare(`ATTACH ? AS ${quote(schema)}${key}`).run(path(file), ...keys)
        database.pragma(`${quote(schema)}.journal_mode = WAL`)
      }),
    attachPlain: (file, schema) =>
      void withStatementErrors('ATTACH', () =>
        database.prepare(`ATTACH ? AS ${quote(schema)}${key && " KEY ''"}`).run(path(file)),
      ),
    detach: schema => void withStatementErrors('DETACH', () => database.exec(`DETACH ${quote(schema)}`)),
    close: () => void database.close(),
  }
}

function statement(database: Database.Database, sql: string): Statement {
  const prepared = withStatementErrors(sql, () => database.prepare<SqlValue[], SqlRow>(sql))
  let raw: Database.Statement<SqlValue[], SqlValue[]> | undefined
  const arrays = () => {
    raw ??= database.prepare<SqlValue[], SqlValue[]>(sql).raw(true)
    return raw
  }
  return {
    // Runs a million times in a first sync, so it creates no function per call.
    run(...values) {
      try {
        return prepared.run(...values).changes
      } catch (cause) {
        throw databaseError(cause, sql)
      }
    },
    get: (...values) => withStatementErrors(sql, () => prepared.get(...values)),
    all: (...values) => withStatementErrors(sql, () => prepared.all(...values)),
    arrays: (...values) => withStatementErrors(sql, () => arrays().all(...values)),
    iterate: (...values) => each(sql, () => prepared.iterate(...values)),
    iterateArrays: (...values) => each(sql, () => arrays().iterate(...values)),
    readonly: prepared.readonly,
    // The library frees statements at garbage collection.
    free() {},
  }
}

/** Locks a database file; the operating system releases the lock when the process ends. */
function lock(library: typeof Database, file: string): (() => void) | undefined {
  const database = new library(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return () => void database.close()
  } catch {
    database.close()
    return undefined
  }
}
