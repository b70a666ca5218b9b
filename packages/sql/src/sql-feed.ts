import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cursorGone, type Feed, type FeedBatch, type FeedContext, failure } from '@godwit/source'
import { type Kysely, sql } from 'kysely'
import type { ChangeLog } from './changes/change-log.js'
import { clean } from './changes/clean.js'
import { feedChanges, partitionsByKey, rereadTargets, type SourceRows } from './changes/feed-batch.js'
import { mysqlLog } from './changes/mysql.js'
import { Polling } from './changes/polling.js'
import { parsePosition, parseProofs, positionText, proofText } from './changes/position-text.js'
import { postgresqlLog } from './changes/postgresql.js'
import { sqliteLog } from './changes/sqlite.js'
import {
  isPending,
  type LoggedChange,
  newPosition,
  type Position,
  proveReading,
  type StepResult,
  step,
} from './changes/step.js'
import type { Connection } from './connection.js'
import { type Database, openDatabase } from './database.js'
import { type InstallOptions, type InstallReport, install, remove, status, type TableStatus } from './install.js'
import { type LogStatus, logStatus } from './log-status.js'
import { rowsByKey } from './read.js'
import { type SourceTable, shapeOf, type TableShape } from './table-shape.js'

const LOGS: { readonly [kind in Database['kind']]: ChangeLog } = {
  postgresql: postgresqlLog,
  mysql: mysqlLog,
  sqlite: sqliteLog,
}

/** Options of `sqlFeed`. */
export interface SqlFeedOptions<DB> {
  readonly db: Kysely<DB>
  /** Identifies the feed in the store of the server, and its reader in the database. Default `sql`. */
  readonly name?: string
  /** Milliseconds between looks at the log. Default 100. */
  readonly pollInterval?: number
  /** How much the log may hold before triggers stop writing: bytes in PostgreSQL (default 1 GiB), changes elsewhere (default 5,000,000). */
  readonly budget?: number
  /** Milliseconds between heartbeats. Default 5000. */
  readonly heartbeat?: number
  /** Returns random text. Default: 16 hexadecimal digits. */
  readonly random?: () => string
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** The changes of all tables of a database, for the sources that `sqlSource` defines with it. */
export interface SqlFeed<DB> extends Feed {
  readonly name: string
  readonly database: Database
  /** The tables of its sources, of which changes are logged once `install` was called. */
  readonly tables: readonly SourceTable[]
  /** Adds the table of a source; `sqlSource` calls it. */
  add(table: SourceTable): void
  /** Proves that the database has everything that was read before the call: the proof of a reading. */
  prove(): Promise<string>
  /** Creates the log and the triggers of the tables; what is there stays as it is. */
  install(options?: InstallOptions): Promise<InstallReport>
  /** Removes the log and all of its triggers. */
  remove(options?: InstallOptions): Promise<InstallReport>
  status(): Promise<readonly TableStatus[]>
  /** What waits in the log, and how far its readers are. The log has to be installed. */
  logStatus(): Promise<LogStatus>
  /** Ends the connections of the Kysely instance. */
  close(): Promise<void>
  /** Only for the types of tables and columns. */
  readonly types?: DB
}

/**
 * Makes the feed of a database: triggers log changes, and the feed delivers them by polling. Call `install`, or `godwit sql install`, once and after
 * changes of the schema.
 *
 * @example
 * ```ts
 * const db = sqlFeed({ db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) })
 * const orders = sqlSource({ db, name: 'Order', table: 'orders', key: 'id', columns: ['product', 'amount'], owner: 'user_login' })
 * ```
 */
export function sqlFeed<DB>(options: SqlFeedOptions<DB>): SqlFeed<DB> {
  const { name = 'sql' } = options
  const database = openDatabase(options.db)
  const log = LOGS[database.kind]
  const tables: SourceTable[] = []
  const random = options.random ?? (() => randomBytes(8).toString('hex'))
  const budget = options.budget ?? (database.kind === 'postgresql' ? 2 ** 30 : 5_000_000)
  return {
    name,
    database,
    tables,
    add: table => void tables.push(table),
    prove: () =>
      database.connect(async connection =>
        proofText(await patiently(log, () => proveReading(connection, log, random()))),
      ),
    open: context => read({ ...options, name, database, log, tables, random }, context),
    install: given => install(database, log, { tables, budget, ...given }),
    remove: given => remove(database, log, { tables, budget, ...given }),
    status: () => status(database, log, tables),
    logStatus: () => database.connect(connection => logStatus(connection, log)),
    close: () => options.db.destroy(),
  }
}

interface Reader {
  readonly name: string
  readonly database: Database
  readonly log: ChangeLog
  readonly tables: readonly SourceTable[]
  readonly random: () => string
  readonly pollInterval?: number
  readonly heartbeat?: number
  readonly now?: () => number
}

/** Reads the log until the signal aborts. */
async function* read(reader: Reader, { cursor, signal, log, proofs }: FeedContext): AsyncGenerator<FeedBatch> {
  const { database, now = Date.now } = reader
  await database.connect(connection => checkInstalled(reader, connection))
  let position = cursor === null ? undefined : parsePosition(cursor)
  if (position === undefined) {
    position = await firstPosition(reader, { signal, log })
    yield { cursor: positionText(position) }
    await advance(reader, position)
  }
  const polling = new Polling({ interval: reader.pollInterval ?? 100, heartbeat: reader.heartbeat ?? 5000, now })
  const shapes = new Map<string, { readonly fingerprint: string; readonly shape: TableShape }>()
  while (!signal.aborted) {
    const found = await nextStep(reader, { position, polling, proofs, shapes })
    if (found === undefined) {
      await sleep(polling.pause, undefined, { signal }).catch(() => {})
      continue
    }
    const { result, known, waiting } = found
    position = result.position
    yield {
      cursor: positionText(position),
      changes: feedChanges(reader.tables, result),
      reread: rereadTargets(result),
      proofs: known,
      ...(waiting && { waiting }),
      ...polling.report(result.changes),
    }
    // The store has the cursor now.
    await advance(reader, position)
  }
}

async function checkInstalled({ log }: Reader, connection: Connection): Promise<void> {
  if (!(await log.isInstalled(connection)))
    throw failure('expected the change log of Godwit in the database, got none. Run `godwit sql install`.')
}

/** Takes a position from before all later readings, once the log is within its budget. */
async function firstPosition(
  { database, log, tables, random }: Reader,
  { signal, log: messages }: Pick<FeedContext, 'signal' | 'log'>,
): Promise<Position> {
  return database.connect(async connection => {
    const take = (): Promise<Position> => patiently(log, () => newPosition(connection, { log, tables, mark: random() }))
    while (!(await log.shrink(connection))) {
      await take()
      if (await log.shrink(connection)) break
      messages.warn(
        {},
        'the change log is over its budget: its space is freed once older transactions of the database have ended',
      )
      await sleep(1000, undefined, { signal })
    }
    return take()
  })
}

interface NextStep {
  readonly position: Position
  readonly polling: Polling
  readonly proofs: FeedContext['proofs']
  readonly shapes: Map<string, { readonly fingerprint: string; readonly shape: TableShape }>
}

interface FoundStep {
  readonly result: StepResult<SourceRows>
  /** The proofs that the step verified. */
  readonly known: readonly string[]
  /** With a heartbeat. */
  readonly waiting: NonNullable<FeedBatch['waiting']> | undefined
}

/** Makes a step if something is waiting or a heartbeat is due. Throws `cursor_gone` if the database cannot continue from the position. */
function nextStep(reader: Reader, { position, polling, proofs, shapes }: NextStep): Promise<FoundStep | undefined> {
  const { database, log, tables, random } = reader
  return database.connect(async connection => {
    try {
      const after = await polling.after(() => log.recent(connection))
      const isBeat = polling.isBeatDue
      if (isBeat) await writeBeat(connection, log, polling.newBeat(random()))
      else if (!(await polling.measure(() => isPending(connection, log, { n: position.n, after })))) return undefined
      const known = await proofs()
      const result = await step<SourceRows>(connection, {
        log,
        tables,
        position,
        proofs: parseProofs(known),
        after,
        mark: random(),
        read: (connection, changes, fingerprints) => readChanged(reader, connection, { changes, fingerprints, shapes }),
      })
      if (result === undefined) return undefined
      if ('gone' in result) throw cursorGone(result.gone)
      polling.continueAfter(result.after)
      return { result, known, waiting: isBeat ? await waitingOf(connection, log) : undefined }
    } catch (error) {
      if (log.isBusy(error)) return undefined
      throw error
    }
  })
}

async function waitingOf(connection: Connection, log: ChangeLog): Promise<NonNullable<FeedBatch['waiting']>> {
  const { waiting: rows, bytes } = await logStatus(connection, log)
  return { rows, ...(bytes !== undefined && { bytes }) }
}

const writeBeat = (connection: Connection, { names }: ChangeLog, id: string): Promise<number> =>
  connection.run(sql`INSERT INTO ${names.change} (src, kind, new_key) VALUES ('', 'B', ${id})`)

interface ChangedRows {
  readonly changes: readonly LoggedChange[]
  readonly fingerprints: Position['tables']
  readonly shapes: NextStep['shapes']
}

/** Reads the present rows of the changes of each source. */
async function readChanged(
  { database, tables }: Reader,
  connection: Connection,
  { changes, fingerprints, shapes }: ChangedRows,
): Promise<SourceRows> {
  const rows = new Map<string, Awaited<ReturnType<typeof rowsByKey>>>()
  const { readable, whole } = database.columns
  if (changes.some(({ kind }) => kind === 'C'))
    for (const statement of [...readable, ...whole]) await connection.run(statement)
  for (const source of tables) {
    const ids = [...partitionsByKey(changes, source.source).keys()]
    if (ids.length === 0) continue
    const fingerprint = fingerprints[source.source] ?? ''
    const cached = shapes.get(source.source)
    const shape = cached?.fingerprint === fingerprint ? cached.shape : await shapeOf(connection, database, source)
    shapes.set(source.source, { fingerprint, shape })
    rows.set(source.source, await rowsByKey(connection, database, { source, shape, ids }))
  }
  return rows
}

/** Notes that the store has a position, and cleans up. What fails is done by the next call. */
async function advance({ database, log, name }: Reader, { n }: Position): Promise<void> {
  await database.connect(connection =>
    clean(connection, log, { reader: name, n }).catch(error => {
      if (!log.isBusy(error)) throw error
    }),
  )
}

/** Tries again while another process has the lock, for 30 seconds at most. */
async function patiently<T>({ isBusy }: ChangeLog, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || tries === 300) throw error
      await sleep(100)
    }
  }
}
