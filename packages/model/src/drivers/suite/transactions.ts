import type { Suite } from './driver-conformance.js'

/** Tests of transactions over the files of a device. */
export function describeTransactions({ describe, fact, expect }: Suite): void {
  describe('transactions', () => {
    const counts = (driver: ReturnType<Parameters<Parameters<typeof fact>[1]>[0]['connect']>) =>
      driver.prepare('SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM user.b)').arrays()[0]

    fact('are committed and undone as a whole, over all files', ({ connect }) => {
      const driver = connect()
      driver.attach('user.sqlite', 'user')
      driver.exec('CREATE TABLE a (x); CREATE TABLE user.b (x)')
      driver.exec('BEGIN IMMEDIATE; INSERT INTO a VALUES (1); INSERT INTO user.b VALUES (1); ROLLBACK')
      expect(counts(driver)).toEqual([0, 0])
      driver.exec('BEGIN IMMEDIATE; INSERT INTO a VALUES (1); INSERT INTO user.b VALUES (1); COMMIT')
      expect(counts(driver)).toEqual([1, 1])
    })

    fact('have points that they go back to', ({ connect }) => {
      const driver = connect()
      driver.attach('user.sqlite', 'user')
      driver.exec('CREATE TABLE a (x); CREATE TABLE user.b (x)')
      driver.exec('BEGIN; INSERT INTO a VALUES (1); SAVEPOINT p; INSERT INTO user.b VALUES (1); ROLLBACK TO p; COMMIT')
      expect(counts(driver)).toEqual([1, 0])
    })

    fact('go on after a statement that failed', ({ connect }) => {
      const driver = connect()
      driver.exec('CREATE TABLE a (x UNIQUE)')
      const insert = driver.prepare('INSERT INTO a VALUES (?)')
      driver.exec('BEGIN')
      insert.run(1)
      try {
        insert.run(1)
      } catch {}
      insert.run(2)
      driver.exec('COMMIT')
      expect(driver.prepare('SELECT count(*) AS count FROM a').get()).toEqual({ count: 2 })
    })
  })
}
