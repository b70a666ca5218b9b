import { statfs } from 'node:fs/promises'
import type { Collections, Jobs, MemoryCounters, RecordKind, Store } from '@godwit/store'
import { sqliteAudit } from './audit.js'
import { dropAllBlobs, sqliteBlobs } from './blobs.js'
import { advance, cursor } from './collections/advance.js'
import { apply } from './collections/apply.js'
import { forgetHistory } from './collections/change-log.js'
import { changes } from './collections/changes.js'
import { compact } from './collections/compact.js'
import { drop, dropAll } from './collections/drop.js'
import { find, headOf } from './collections/head.js'
import { history } from './collections/history.js'
import { findOrMake } from './collections/make.js'
import { collections } from './collections/names.js'
import { page } from './collections/page.js'
import { get, list, look } from './collections/read.js'
import { dropReader, readers, recordReader } from './collections/readers.js'
import { replace } from './collections/replace.js'
import { acceptRemovals, recordFailure, requestQuery, versionAt } from './collections/schedule.js'
import type { SqliteConnection } from './connection.js'
import { sqliteCounters } from './counters.js'
import { Database } from './database.js'
import { sqliteDocuments } from './documents.js'
import { sqliteEvents } from './events.js'
import type { Integrity } from './integrity.js'
import { sqliteJobs } from './jobs.js'
import { sqliteJournal } from './journal/journal.js'
import { sqliteLeases } from './leases.js'
import { measure } from './measure.js'
import { RecordCache } from './record-cache.js'
import { sqliteRegistry } from './registry.js'
import { sqliteSeries } from './series.js'
import { Soundness } from './soundness.js'
import type { SqliteHandles } from './sqlite-handle.js'
import type { Durability, SqliteStoreOptions } from './sqlite-store-options.js'
import { sweep } from './sweep.js'

/** A store with jobs in the same file. */
export interface SqliteStore extends Store {
  readonly jobs: Jobs
  /**
   * Checks every page of the file in another process, and reports the result with `measure` from then on. Undefined for a store in memory
   * or closed meanwhile; rejects when the check cannot run.
   */
  checkIntegrity(): Promise<Integrity | undefined>
}

/** A store over open connections to a migrated file. */
export function sqliteStore(handles: SqliteHandles, options: SqliteStoreOptions = {}): SqliteStore {
  const database = new Database(handles, options)
  sweep(database)
  const jobs = sqliteJobs(database)
  const records = new RecordCache(database)
  const counters = sqliteCounters(database)
  const store = {
    collections: sqliteCollections(database),
    journal: sqliteJournal(database),
    documents: sqliteDocuments(database),
    blobs: sqliteBlobs(database),
    registry: sqliteRegistry(database, records),
    leases: sqliteLeases(database),
    counters,
    events: sqliteEvents(database),
    series: sqliteSeries(database),
    audit: sqliteAudit(database),
    jobs,
    ...lifecycle(database, { jobs, records, counters }),
  }
  return { ...store, ...integrityOf(database, { ...store, durability: options.durability ?? 'full' }) }
}

/** Adds what is known of the file to a store's own checks. */
function integrityOf(
  database: Database,
  {
    check,
    measure,
    close,
    durability,
  }: Pick<Store, 'check' | 'measure' | 'close'> & { readonly durability: Durability },
): Pick<SqliteStore, 'check' | 'checkIntegrity' | 'measure' | 'close'> {
  const path = database.readNow(fileOf)
  const soundness = new Soundness(database, path)
  return {
    check: async () => {
      database.assertOpen()
      soundness.assert()
      await check()
    },
    checkIntegrity: () => soundness.check(),
    measure: async () => ({
      ...(await measure()),
      durability: path === '' ? undefined : durability,
      intact: soundness.intact,
      free: await freeBytes(path),
    }),
    close: async () => {
      soundness.close()
      await close()
    },
  }
}

/** Returns the free bytes on the disk of a file; undefined for a store in memory or if the system does not report it. */
async function freeBytes(path: string): Promise<number | undefined> {
  if (path === '') return undefined
  return statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  )
}

const fileOf = (connection: SqliteConnection): string =>
  connection.statement<{ readonly file: string }>("SELECT file FROM pragma_database_list WHERE name = 'main'").get()
    ?.file ?? ''

function sqliteCollections(database: Database): Collections {
  return {
    open: async id =>
      (await database.read(connection => headIn(connection, id))) ??
      database.write(connection => headOf(connection, findOrMake(database, connection, id))),
    head: id => database.read(connection => headIn(connection, id)),
    apply: (id, batch, options) => apply(database, id, batch, options),
    replace: (id, parts, replacing) => replace(database, id, { parts, options: replacing }),
    advance: (id, batch, advancing) => advance(database, id, { batch, options: advancing }),
    cursor: id => cursor(database, id),
    changes: (id, from) => changes(database, id, from),
    page: (id, options) => page(database, id, options),
    get: (id, ids) => get(database, id, ids),
    look: (id, object) => look(database, id, object),
    history: (id, object, { limit }) => history(database, id, { id: object, limit }),
    list: (id, page) => list(database, id, page),
    versionAt: (id, time) => versionAt(database, id, time),
    requestQuery: (id, at) => requestQuery(database, id, at),
    acceptRemovals: id => acceptRemovals(database, id),
    recordFailure: (id, failure) => recordFailure(database, id, failure),
    recordReader: (id, reader, base) => recordReader(database, id, reader, base),
    readers: id => readers(database, id),
    dropReader: (id, reader) => dropReader(database, id, reader),
    compact: (id, to) => compact(database, id, to),
    forgetHistory: id => forgetHistory(database, id),
    drop: id => drop(database, id),
    withPendingRemovals: some => collections(database, { ...some, pending: true }),
    collections: some => collections(database, some),
  }
}

function headIn(connection: SqliteConnection, id: Parameters<typeof find>[1]) {
  const row = find(connection, id)
  return row && headOf(connection, row)
}

const lifecycle = (
  database: Database,
  {
    jobs,
    records,
    counters,
  }: { readonly jobs: Jobs; readonly records: RecordCache; readonly counters: MemoryCounters },
): Pick<Store, 'check' | 'now' | 'measure' | 'clear' | 'close'> => ({
  check: () => database.check(),
  now: async () => {
    database.assertOpen()
    return database.now()
  },
  measure: () => database.read(measure),
  clear: async ({ keep = [] } = {}) => {
    await records.written(database.write(connection => clear(connection, keep)))
    counters.clear()
    sweep(database)
  },
  close: async () => {
    await jobs.close()
    database.close()
  },
})

function clear(connection: SqliteConnection, keep: readonly RecordKind[]): void {
  dropAll(connection)
  dropAllBlobs(connection)
  for (const table of ['document', 'lease', 'point', 'series']) connection.run(`DELETE FROM ${table}`)
  const kinds = keep.map(() => '?').join(', ')
  connection.statement(`DELETE FROM record WHERE kind NOT IN (${kinds})`).run(...keep)
}
