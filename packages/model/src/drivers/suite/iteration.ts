import type { Driver } from '../../platform/driver.js'
import { errorOf, type Suite } from './driver-conformance.js'

/** A query with an unlimited number of rows. */
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'

function openFilled({ connect }: { connect(): Driver }): Driver {
  const driver = connect()
  driver.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')")
  return driver
}

/** Tests of reading rows one at a time, and of stopping a statement between rows or, if the driver can, before a row. */
export function describeIteration({ describe, fact, expect }: Suite): void {
  describe('iteration', () => {
    fact('gives rows as they are asked for, as objects and as arrays', ({ connect }) => {
      const driver = connect()
      const endless = driver.prepare(ENDLESS)
      const seen: unknown[] = []
      for (const row of endless.iterate()) if (seen.push(row) === 2) break
      for (const row of endless.iterateArrays()) if (seen.push(row) === 4) break
      expect(seen).toEqual([{ i: 1 }, { i: 2 }, [1], [2]])
      expect([...driver.prepare('SELECT 1 AS a, 2 AS a').iterateArrays()]).toEqual([[1, 2]])
      expect([...driver.prepare('SELECT 9007199254740993 AS big').iterate()]).toEqual([{ big: 2 ** 53 }])
    })

    fact('a loop that is left, by an error too, leaves no statement open', scene => {
      const driver = openFilled(scene)
      const read = driver.prepare('SELECT id FROM t ORDER BY id')
      for (const _ of read.iterate()) break
      driver.exec('ALTER TABLE t ADD COLUMN more')
      const left = errorOf(() => {
        for (const _ of read.iterateArrays()) driver.prepare('nonsense')
      })
      expect(left?.code).toBe('database_failed')
      driver.exec('BEGIN; DROP TABLE t; ROLLBACK')
      expect(read.arrays()).toEqual([[1], [2], [3]])
      expect(read.all()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    })

    fact('an error of a later row says why and of which statement', scene => {
      const driver = openFilled(scene)
      const sql = "SELECT json(CASE id WHEN 2 THEN '{' ELSE '1' END) AS one FROM t ORDER BY id"
      const seen: unknown[] = []
      const error = errorOf(() => {
        for (const row of driver.prepare(sql).iterate()) seen.push(row)
      })
      expect(seen).toEqual([{ one: '1' }])
      expect([error?.code, error?.details['sql']]).toEqual(['database_failed', sql])
      driver.exec('DELETE FROM t')
    })

    fact('what can be interrupted ends within a step, and its transaction goes on', scene => {
      const driver = openFilled(scene)
      const { interruptible } = driver
      if (!interruptible) return
      const count = driver.prepare(`SELECT count(*) FROM (${ENDLESS})`)
      driver.exec("BEGIN; INSERT INTO t VALUES (4, 'd')")
      let looks = 0
      const error = errorOf(() =>
        interruptible(
          () => ++looks > 3,
          () => count.arrays(),
        ),
      )
      expect([error?.code, looks]).toEqual(['database_failed', 4])
      driver.exec('COMMIT')
      const all = driver.prepare('SELECT count(*) FROM t')
      expect(
        interruptible(
          () => true,
          () => all.arrays(),
        ),
      ).toEqual([[4]])
      expect(all.arrays()).toEqual([[4]])
    })
  })
}
