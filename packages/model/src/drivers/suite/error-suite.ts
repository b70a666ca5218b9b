import { errorOf, type Suite } from './driver-conformance.js'

/** Tests that errors of SQLite are `database_failed` errors with the reason and the statement. */
export function describeErrors({ describe, fact, expect }: Suite): void {
  describe('errors', () => {
    fact('name the reason and the statement', ({ connect }) => {
      const driver = connect()
      driver.exec('CREATE TABLE t (name TEXT UNIQUE); INSERT INTO t VALUES (1)')
      const failing: readonly (readonly [sql: string, reason: string, call: (sql: string) => unknown])[] = [
        ['nonsense', 'syntax error', sql => driver.exec(sql)],
        ['SELECT nonsense', 'no such column', sql => driver.prepare(sql)],
        ['INSERT INTO t VALUES (?)', 'UNIQUE', sql => driver.prepare(sql).run('1')],
        ["SELECT json('{')", 'malformed JSON', sql => driver.prepare(sql).get()],
        ["SELECT json('{{')", 'malformed JSON', sql => driver.prepare(sql).all()],
        ["SELECT json('{{{')", 'malformed JSON', sql => driver.prepare(sql).arrays()],
      ]
      for (const [sql, reason, call] of failing) {
        const error = errorOf(() => call(sql))
        expect([error?.code, error?.details['sql']]).toEqual(['database_failed', sql])
        expect(error?.message).toContain(reason)
      }
      expect(driver.prepare('SELECT count(*) AS count FROM t').get()).toEqual({ count: 1 })
    })
  })
}
