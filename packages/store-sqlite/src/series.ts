import { type Bucket, type Level, type Point, SERIES_SECONDS, type Series } from '@godwit/store'
import type { SqliteConnection } from './connection.js'
import type { Database } from './database.js'

interface PointRow {
  readonly time: number
  readonly count: number | null
  readonly sum: number
  readonly min: number
  readonly max: number
}

interface PointKey {
  readonly number: number
}

const MAKE_KEY = 'INSERT INTO series (key) VALUES (?) ON CONFLICT (key) DO NOTHING'
const SELECT_KEY = 'SELECT number FROM series WHERE key = ?'
/** A level has no count; it replaces the point, or is replaced. */
const JOIN = `
INSERT INTO point (series, time, count, sum, min, max) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (series, time) DO UPDATE SET
  sum = iif(excluded.count IS NULL OR count IS NULL, excluded.sum, sum + excluded.sum),
  min = iif(excluded.count IS NULL OR count IS NULL, excluded.min, min(min, excluded.min)),
  max = iif(excluded.count IS NULL OR count IS NULL, excluded.max, max(max, excluded.max)),
  count = iif(excluded.count IS NULL OR count IS NULL, excluded.count, count + excluded.count)`
export const SELECT_POINTS = `
SELECT time, count, sum, min, max FROM point WHERE series = ? AND time > ? ORDER BY time LIMIT ? OFFSET ?`
const COUNT_POINTS = 'SELECT count(*) AS number FROM point WHERE series = ? AND time > ?'
const SELECT_KEYS = `
SELECT key FROM series
WHERE EXISTS (SELECT 1 FROM point WHERE point.series = series.number AND time > ?) ORDER BY key`

const NEXT_KEY = 'SELECT number FROM series WHERE number > ? ORDER BY number LIMIT 1'
export const DELETE_OLD_POINTS = `
DELETE FROM point WHERE (series, time) IN (
  SELECT series, time FROM point WHERE series = ? AND time <= ? ORDER BY time LIMIT ?)`
const DELETE_EMPTY = 'DELETE FROM series WHERE number = ? AND NOT EXISTS (SELECT 1 FROM point WHERE series = number)'

/** How many old points one step removes. A key gains one a minute, and there is a step every few seconds. */
const MAX_FORGOTTEN = 1000

export function sqliteSeries(database: Database): Series {
  const oldest = () => database.now() / 1000 - SERIES_SECONDS
  let swept = 0
  return {
    add: points =>
      database.write(connection => {
        swept = forget(connection, swept, oldest())
        for (const point of points) mergePoint(connection, point)
      }),
    keys: () =>
      database.read(connection =>
        connection
          .statement<{ readonly key: string }>(SELECT_KEYS)
          .all(oldest())
          .map(({ key }) => key),
      ),
    read: (key, range) =>
      database.read(connection => {
        const known = connection.statement<PointKey>(SELECT_KEY).get(key)
        return known && read(connection, { series: known.number, after: oldest() }, range)
      }),
  }
}

function mergePoint(connection: SqliteConnection, { key, ...point }: Point): void {
  connection.statement(MAKE_KEY).run(key)
  const { number } = connection.statement<PointKey>(SELECT_KEY).get(key) as PointKey
  const { count, sum, min, max } = 'count' in point ? point : { count: null, sum: point.value, min: null, max: null }
  connection.statement(JOIN).run(number, point.time, count, sum, min, max)
}

/** Removes old points of one key per step, in turn, since a key without new points ages as well. */
function forget(connection: SqliteConnection, swept: number, oldest: number): number {
  const next = connection.statement<PointKey>(NEXT_KEY).get(swept)
  if (!next) return 0
  connection.statement(DELETE_OLD_POINTS).run(next.number, oldest, MAX_FORGOTTEN)
  connection.statement(DELETE_EMPTY).run(next.number)
  return next.number
}

function read(
  connection: SqliteConnection,
  { series, after }: { readonly series: number; readonly after: number },
  { start, finish }: { readonly start: number; readonly finish: number },
): readonly (Bucket | Level)[] | undefined {
  const { number: length } = connection.statement<PointKey>(COUNT_POINTS).get(series, after) as PointKey
  if (length === 0) return undefined
  const first = Math.max(0, start < 0 ? length + start : start)
  const last = finish < 0 ? length + finish : finish
  const rows = connection.statement<PointRow>(SELECT_POINTS).all(series, after, Math.max(0, last - first + 1), first)
  return rows.map(pointOf)
}

const pointOf = ({ time, count, sum, min, max }: PointRow): Bucket | Level =>
  count === null ? { time, value: sum } : { time, count, sum, min, max }
