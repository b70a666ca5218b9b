import { SERIES_SECONDS } from '@godwit/store'
import { expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { migrate } from './migrate.js'
import { sqliteStore } from './sqlite-store.js'

const MINUTE = 60

test('old values are removed in small steps, whichever keys are written', async () => {
  const handle = new BetterSqlite3(':memory:')
  migrate(handle, ':memory:')
  const time = { now: 0 }
  const store = sqliteStore(
    { writer: handle, reader: handle, scratch: () => new BetterSqlite3('') },
    { clock: () => time.now },
  )
  const { series } = store
  const bucket = (key: string, minute: number) => ({ key, time: minute * MINUTE, count: 1, sum: 1, min: 1, max: 1 })
  const points = ['forgotten', 'busy'].flatMap(key => Array.from({ length: 1500 }, (_, minute) => bucket(key, minute)))
  await series.add(points)
  time.now = (SERIES_SECONDS + 1500 * MINUTE) * 1000
  const rows = (table: string) =>
    (handle.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { readonly rows: number }).rows
  const before: number[] = []
  for (let minute = 1; minute <= 6; minute++) {
    before.push(rows('point'))
    await series.add([bucket('busy', SERIES_SECONDS / MINUTE + 1500)])
  }
  expect(before).toEqual([3000, 2001, 1001, 1001, 501, 1])
  expect([rows('series'), await series.keys()]).toEqual([1, ['busy']])
  await store.close()
})
