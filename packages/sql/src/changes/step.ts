import { failure } from '@godwit/source'
import { sql } from 'kysely'
import { type Connection, inTransaction } from '../connection.js'
import type { ChangeLog, TableState, WatchedTable } from './change-log.js'

/** A mark of a batch: a random text that only a database knows which has everything up to it. */
export interface Mark {
  readonly n: number
  readonly mark: string
}

/** Where a reader is. */
export interface Position extends Mark {
  /** A later mark, after which rows of this position were read. */
  readonly proof?: Mark
  /** The count of skipped writes. */
  readonly skipped: string
  /** Fingerprints by source. */
  readonly tables: { readonly [source: string]: string }
}

/** A row of the log. */
export interface LoggedChange {
  readonly src: string
  /** C: a change; T: the table was truncated; B: a heartbeat. */
  readonly kind: string
  readonly old_key: string | null
  readonly new_key: string | null
  readonly old_owner: string | null
  readonly new_owner: string | null
}

/** What a step found. `rows` is what `read` returned. */
export interface StepResult<Rows> {
  readonly position: Position
  readonly changes: readonly LoggedChange[]
  readonly rows: Rows
  /** Sources whose fingerprint is another one. */
  readonly changed: readonly string[]
  /** The position behind which the next step goes on: 0 unless more is waiting. */
  readonly after: number
}

/** The reason why a position cannot be continued. */
export interface PositionGone {
  readonly gone: string
}

export interface StepOptions<Rows> {
  readonly log: ChangeLog
  readonly tables: readonly WatchedTable[]
  readonly position: Position
  /** Marks of readings. */
  readonly proofs: readonly Mark[]
  readonly after: number
  /** A random text. */
  readonly mark: string
  /** Reads the present rows of the changes, in the same transaction. */
  read(connection: Connection, changes: readonly LoggedChange[], fingerprints: Position['tables']): Promise<Rows>
}

/** Changes that one step stamps. */
const LIMIT = 2000
/** Changes after which a step reads no further batch of other readers. */
const MOST_READ = 4000

/**
 * Stamps, reads and marks in one durable transaction. What it returns may be applied once it has resolved: a database that knows the mark has all rows
 * that were read. Resolves to undefined if there is nothing new.
 */
export const step = <Rows>(
  connection: Connection,
  options: StepOptions<Rows>,
): Promise<StepResult<Rows> | PositionGone | undefined> =>
  inTransaction(connection, async () => {
    const { log, tables, position, proofs } = options
    await begin(connection, log)
    const gone = await goneReason(connection, log, position, proofs)
    if (gone !== undefined) return { gone }
    const states = await inspectTables(connection, log, tables)
    const changed = tables.flatMap(({ source }) =>
      states.get(source)?.fingerprint === position.tables[source] ? [] : [source],
    )
    const found = await collect(connection, options)
    const isCurrent = found.changes.length === 0 && found.last === position.n && position.proof === undefined
    if (isCurrent && changed.length === 0 && proofs.length === 0) return undefined
    const rows = await options.read(connection, found.changes, fingerprints(states))
    const own = await writeMark(connection, log, { n: found.last + 1, mark: options.mark })
    const reached = found.upTo === undefined ? own : { ...found.upTo, proof: own }
    return {
      position: { ...reached, skipped: position.skipped, tables: fingerprints(states) },
      changes: found.changes,
      rows,
      changed,
      after: found.after,
    }
  })

/** Takes the lock, after which numbers are computed. */
async function begin(connection: Connection, log: ChangeLog): Promise<void> {
  for (const statement of log.durable) await connection.run(statement)
  await connection.all(log.lock)
}

async function goneReason(
  connection: Connection,
  { names, skipped }: ChangeLog,
  position: Position,
  proofs: readonly Mark[],
): Promise<string | undefined> {
  const marks = await connection.all(
    sql<Mark>`SELECT n, mark FROM ${names.batch} WHERE n IN (${sql.join([position, position.proof ?? position, ...proofs].map(({ n }) => n))})`,
  )
  const known = new Map(marks.map(({ n, mark }) => [Number(n), mark]))
  const isKnown = ({ n, mark }: Mark): boolean => known.get(n) === mark
  if (!isKnown(position) || (position.proof && !isKnown(position.proof)))
    return 'the database does not know the last mark, as after a restore or a failover'
  // A mark below those that are left was cleaned away with what it proved.
  const [lowest] = await connection.all(sql<{ readonly n: unknown }>`SELECT min(n) AS n FROM ${names.batch}`)
  if (proofs.some(proof => proof.n >= Number(lowest?.n) && !isKnown(proof)))
    return 'the database does not know the mark of a reading, as after a restore or a failover'
  if ((await skipped(connection)) !== position.skipped) return 'the log was over its budget or not read for a week'
  return undefined
}

/** Throws `backend_failed` for a table whose changes are not logged: what devices have of it would become old without notice. */
async function inspectTables(
  connection: Connection,
  log: ChangeLog,
  tables: readonly WatchedTable[],
): Promise<ReadonlyMap<string, TableState>> {
  const states = await log.inspect(connection, tables)
  for (const { source, table } of tables) {
    const problem = states.get(source)?.problem
    if (problem !== undefined)
      throw failure(`The table ${table} of the source ${source}: ${problem}. Run \`godwit sql install\`.`)
  }
  return states
}

interface Collected {
  readonly changes: readonly LoggedChange[]
  /** The last batch there is. */
  readonly last: number
  /** The mark of the last batch that was read, unless that is the last. */
  readonly upTo: Mark | undefined
  readonly after: number
}

/** Stamps what is committed, and reads it with the batches of other readers. */
async function collect<Rows>(connection: Connection, { log, position, after }: StepOptions<Rows>): Promise<Collected> {
  const { change, batch } = log.names
  const last = await lastBatch(connection, log)
  const stamped = await log.stamp(connection, { batch: last + 1, after, limit: LIMIT })
  const [bound] = await connection.all(sql<{ readonly n: unknown }>`
    SELECT max(batch) AS n FROM (SELECT batch FROM ${change} WHERE batch > ${position.n} ORDER BY batch LIMIT ${sql.lit(MOST_READ)}) AS first`)
  const upTo = bound?.n === null || bound === undefined ? last : Number(bound.n)
  const changes = await connection.all(sql<LoggedChange>`
    SELECT src, kind, old_key, new_key, old_owner, new_owner FROM ${change}
    WHERE batch > ${position.n} AND batch <= ${upTo} ORDER BY batch, pos`)
  // A batch that was not reached is read by the next step.
  const isPart = changes.length >= MOST_READ && upTo <= last
  const [mark] = isPart ? await connection.all(sql<Mark>`SELECT n, mark FROM ${batch} WHERE n = ${upTo}`) : []
  return {
    changes,
    last,
    upTo: mark && { n: Number(mark.n), mark: mark.mark },
    after: stamped.length === LIMIT ? Math.max(...stamped) : 0,
  }
}

/** The last batch: numbers only grow, also where marks were lost that a reader had. */
async function lastBatch(connection: Connection, { names }: ChangeLog): Promise<number> {
  const [row] = await connection.all(
    sql<{
      readonly n: unknown
    }>`SELECT max(n) AS n FROM (SELECT max(n) AS n FROM ${names.batch} UNION ALL SELECT max(n) FROM ${names.reader}) AS numbers`,
  )
  return Number(row?.n ?? 0)
}

async function writeMark(connection: Connection, { names }: ChangeLog, { n, mark }: Mark): Promise<Mark> {
  await connection.run(sql`INSERT INTO ${names.batch} (n, mark) VALUES (${n}, ${mark})`)
  return { n, mark }
}

const fingerprints = (states: ReadonlyMap<string, TableState>): Position['tables'] =>
  Object.fromEntries([...states].map(([source, { fingerprint }]) => [source, fingerprint]))

/** Returns the position of a new reader: everything that is read after it is in the log behind it. */
export async function newPosition(
  connection: Connection,
  { log, tables, mark }: Pick<StepOptions<unknown>, 'log' | 'tables' | 'mark'>,
): Promise<Position> {
  return inTransaction(connection, async () => {
    await begin(connection, log)
    const last = await lastBatch(connection, log)
    await log.accept(connection, last)
    const skipped = await log.skipped(connection)
    const states = await inspectTables(connection, log, tables)
    return { ...(await writeMark(connection, log, { n: last + 1, mark })), skipped, tables: fingerprints(states) }
  })
}

/** Writes a mark after the last row of a reading, which then is what a database has that knows it. */
export const proveReading = (connection: Connection, log: ChangeLog, mark: string): Promise<Mark> =>
  inTransaction(connection, async () => {
    await begin(connection, log)
    return writeMark(connection, log, { n: (await lastBatch(connection, log)) + 1, mark })
  })

/** True if a step would find something behind a position. */
export async function isPending(
  connection: Connection,
  { names }: ChangeLog,
  { n, after }: { readonly n: number; readonly after: number },
): Promise<boolean> {
  const [row] = await connection.all(sql<{ readonly pending: unknown }>`
    SELECT CASE WHEN EXISTS (SELECT 1 FROM ${names.change} WHERE batch IS NULL AND pos > ${after})
      OR coalesce((SELECT max(n) FROM ${names.batch}), 0) <> ${n} THEN 1 ELSE 0 END AS pending`)
  return Number(row?.pending) === 1
}
