import type { JsonValue } from '@godwit/protocol'
import { CLOCK_SLACK, type JobPage, type Jobs } from '@godwit/store'
import { embeddedJobs, type JobFilter, type JobRow, type JobRows } from '@godwit/store/jobs'
import type { SqliteConnection } from './connection.js'
import type { Database } from './database.js'
import type { SqlValue } from './sqlite-handle.js'

const COLUMNS = `queue, id, kind, data, "group", state, attempts, dueAt, reason, every, "limit", backOff, until, fence, again`
export const SELECT_JOB = `SELECT ${COLUMNS} FROM job WHERE queue = ? AND id = ?`
/** An update keeps the row's number, and so the order of insertion. */
const PUT = `
INSERT INTO job (${COLUMNS}, writtenAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (queue, id) DO UPDATE SET
  kind = excluded.kind, data = excluded.data, "group" = excluded."group", state = excluded.state, attempts = excluded.attempts,
  dueAt = excluded.dueAt, reason = excluded.reason, every = excluded.every, "limit" = excluded."limit", backOff = excluded.backOff,
  until = excluded.until, fence = excluded.fence, again = excluded.again, writtenAt = excluded.writtenAt`
const REMOVE = 'DELETE FROM job WHERE queue = ? AND id = ?'
/** Queues are JSON arrays; null means all queues. */
export const SELECT_FIRST_JOB = `
SELECT ${COLUMNS} FROM job
WHERE state = 'waiting' AND dueAt <= ?
  AND queue NOT IN (SELECT value FROM json_each(?)) AND (? IS NULL OR queue IN (SELECT value FROM json_each(?)))
  AND NOT EXISTS (SELECT 1 FROM job AS busy WHERE busy.state = 'running' AND busy."group" = job."group")
ORDER BY dueAt, number LIMIT 1`
export const SELECT_LOST_JOBS = `SELECT ${COLUMNS} FROM job WHERE state = 'running' AND until <= ?`
export const SELECT_JOBS_AHEAD = `SELECT ${COLUMNS} FROM job WHERE writtenAt > ? AND state <> 'dead'`
export const SELECT_NEXT_DUE = `SELECT min(dueAt) AS time FROM job WHERE state = 'waiting' AND dueAt > ?`
export const SELECT_NEXT_LOST = `SELECT min(until) AS time FROM job WHERE state = 'running' AND until > ?`
export const FORGET_JOBS = `DELETE FROM job WHERE state = 'dead' AND dueAt < ?`

/** Jobs in the file of the store. */
export const sqliteJobs = (database: Database): Jobs =>
  embeddedJobs({
    now: database.now,
    nextFence: () => database.nextFence(),
    read: work => database.readAll(connection => work(rowsOf(database, connection))),
    write: work => database.write(connection => work(rowsOf(database, connection))),
    writeEarly: work => database.writeEarly(connection => work(rowsOf(database, connection))),
  })

type JobTableRow = Omit<{ readonly [Name in keyof JobRow]-?: JobRow[Name] | null }, 'data'> & { readonly data: string }

const rowsOf = (database: Database, connection: SqliteConnection): JobRows => ({
  get(queue, id) {
    const row = connection.statement<JobTableRow>(SELECT_JOB).get(queue, id)
    return row && jobRowOf(row)
  },
  put: row => void connection.statement(PUT).run(...valuesOf(row), database.now()),
  remove: ({ queue, id }) => void connection.statement(REMOVE).run(queue, id),
  first(wanted) {
    const row = connection.statement<JobTableRow>(SELECT_FIRST_JOB).get(...filterValues(wanted))
    return row && jobRowOf(row)
  },
  fromClockAhead: now =>
    connection
      .statement<JobTableRow>(SELECT_JOBS_AHEAD)
      .all(now + CLOCK_SLACK)
      .map(jobRowOf),
  lost: now => connection.statement<JobTableRow>(SELECT_LOST_JOBS).all(now).map(jobRowOf),
  next(now) {
    const times = [SELECT_NEXT_DUE, SELECT_NEXT_LOST].flatMap(
      sql => connection.statement<{ readonly time: number | null }>(sql).get(now)?.time ?? [],
    )
    return times.length > 0 ? Math.min(...times) : undefined
  },
  page: page => pageOf(connection, page),
  forget: before => void connection.statement(FORGET_JOBS).run(before),
  clear: () => connection.run('DELETE FROM job'),
})

function filterValues({ now, queues, full }: JobFilter): SqlValue[] {
  const served = queues === undefined ? null : JSON.stringify(queues)
  return [now, JSON.stringify(full), served, served]
}

function pageOf(connection: SqliteConnection, { queue, state, after, limit }: JobPage): readonly JobRow[] {
  const filters = Object.entries({ 'queue = ?': queue, 'state = ?': state })
  const given = filters.filter((entry): entry is [string, string] => entry[1] !== undefined)
  const conditions = [...given.map(([condition]) => condition), ...(after ? ['(queue, id) > (?, ?)'] : [])]
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const values = [...given.map(([, value]) => value), ...(after ? [after.queue, after.id] : []), limit]
  const sql = `SELECT ${COLUMNS} FROM job ${where} ORDER BY queue, id LIMIT ?`
  return connection
    .statement<JobTableRow>(sql)
    .all(...values)
    .map(jobRowOf)
}

function valuesOf(row: JobRow): SqlValue[] {
  const { queue, id, kind, data, group, state, attempts, dueAt, reason, every, limit, backOff, until, fence, again } =
    row
  const what = [queue, id, kind, JSON.stringify(data), group, state, attempts, dueAt, reason, every, limit, backOff]
  return [...what, until, fence, again].map(value => value ?? null)
}

function jobRowOf({ data, ...row }: JobTableRow): JobRow {
  const present = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
  return { ...present, data: JSON.parse(data) as JsonValue } as unknown as JobRow
}
