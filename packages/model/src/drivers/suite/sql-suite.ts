import type { Suite } from './driver-conformance.js'

/** SQL features that the engine requires of SQLite. */
const REQUESTED: readonly (readonly [what: string, sql: string, answer: string | number])[] = [
  ['JSON operators', `SELECT '{"a":{"b":1}}' -> '$.a' ->> '$.b'`, 1],
  ['json_each', `SELECT count(*) FROM json_each('[1,2,3]')`, 3],
  ['json_type', `SELECT json_type('{"a":true}', '$.a')`, 'true'],
  ['row values', 'SELECT (1, 2) < (1, 3)', 1],
  [
    'common table expressions',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT max(i) FROM n',
    5,
  ],
  ['LIKE without regard to case', `SELECT 'A' LIKE 'a'`, 1],
]

/** Tests of the SQL features that the engine uses. */
export function describeSql({ describe, fact, expect }: Suite): void {
  describe('SQL', () => {
    for (const [what, sql, answer] of REQUESTED)
      fact(`has ${what}`, ({ connect }) => expect(connect().prepare(sql).arrays()).toEqual([[answer]]))

    fact('has upserts, and updates from a SELECT', ({ connect }) => {
      const driver = connect()
      driver.exec('CREATE TABLE t (name PRIMARY KEY, count)')
      const put = driver.prepare('INSERT INTO t VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1')
      for (const name of ['a', 'a', 'b']) put.run(name)
      driver.exec("UPDATE t SET (count) = (SELECT 9) WHERE name = 'b'")
      expect(driver.prepare('SELECT name, count FROM t ORDER BY name').arrays()).toEqual([
        ['a', 2],
        ['b', 9],
      ])
    })

    fact('has full-text search', ({ connect }) => {
      const driver = connect()
      driver.exec(
        "CREATE VIRTUAL TABLE t USING fts5 (name, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')",
      )
      driver.exec("INSERT INTO t VALUES ('Zürich'), ('Paris')")
      expect(driver.prepare('SELECT name FROM t WHERE t MATCH ? ORDER BY rank').arrays('"zur"*')).toEqual([['Zürich']])
    })
  })
}
