import { sql } from 'kysely'
import { type Connection, inTransaction } from '../connection.js'
import { type ChangeLog, READER_LIFE } from './change-log.js'

/** Changes that are deleted at once. */
const MOST = 5000

/**
 * Notes how far the store is, and removes what every reader has: marks with or before their changes, so that a known mark means that all later
 * changes are there.
 */
export const clean = (
  connection: Connection,
  log: ChangeLog,
  { reader, n }: { readonly reader: string; readonly n: number },
): Promise<void> =>
  inTransaction(connection, async () => {
    const { names, now, ago } = log
    const known = await connection.all(sql`SELECT n FROM ${names.reader} WHERE name = ${reader}`)
    if (known.length === 0)
      await connection.run(sql`INSERT INTO ${names.reader} (name, n, seen) VALUES (${reader}, ${n}, ${now})`)
    else
      await connection.run(
        sql`UPDATE ${names.reader} SET n = CASE WHEN n < ${n} THEN ${n} ELSE n END, seen = ${now} WHERE name = ${reader}`,
      )
    await connection.run(sql`DELETE FROM ${names.reader} WHERE seen < ${ago(READER_LIFE)}`)
    const [lowest] = await connection.all(sql<{ readonly n: unknown }>`SELECT min(n) AS n FROM ${names.reader}`)
    const all = Number(lowest?.n)
    await connection.run(sql`DELETE FROM ${names.batch} WHERE n < ${all}`)
    await log.renew(connection)
    const done = await connection.all(
      sql<{
        readonly pos: unknown
      }>`SELECT pos FROM ${names.change} WHERE batch <= ${all} ORDER BY batch LIMIT ${sql.lit(MOST)}`,
    )
    const positions = done.map(({ pos }) => Number(pos))
    // By position alone: a search by batch would wait for rows of open transactions in MySQL.
    for (let at = 0; at < positions.length; at += 1000)
      await connection.run(sql`DELETE FROM ${names.change} WHERE pos IN (${sql.join(positions.slice(at, at + 1000))})`)
  })
