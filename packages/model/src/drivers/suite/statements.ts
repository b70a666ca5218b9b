import type { Driver } from '../../platform/driver.js'
import { errorOf, type Suite } from './driver-conformance.js'

const TABLE = 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE)'
const INSERT = 'INSERT INTO t (name) VALUES (?)'

function openFilled({ connect }: { connect(): Driver }, count = 3): Driver {
  const driver = connect()
  driver.exec(TABLE)
  const insert = driver.prepare(INSERT)
  for (let at = 1; at <= count; at++) insert.run(`n${at}`)
  return driver
}

/** Tests of repeated use of statements and of freeing them. */
export function describeStatements(suite: Suite): void {
  suite.describe('statements', () => {
    describeResults(suite)
    describeUse(suite)
    describeEnd(suite)
  })
}

function describeResults({ fact, expect }: Suite): void {
  fact('run answers how many rows changed', scene => {
    const driver = openFilled(scene)
    expect(driver.prepare(INSERT).run('n4')).toBe(1)
    expect(driver.prepare("UPDATE t SET name = name || '!'").run()).toBe(4)
    expect(driver.prepare('DELETE FROM t WHERE id = ?').run(99)).toBe(0)
  })

  fact('rows come as objects, as arrays in the order of the columns, and one by one', scene => {
    const read = openFilled(scene, 2).prepare('SELECT name, id FROM t ORDER BY id')
    const rows = [
      { name: 'n1', id: 1 },
      { name: 'n2', id: 2 },
    ]
    expect(read.all()).toEqual(rows)
    expect([...read.iterate()]).toEqual(rows)
    expect(read.get()).toEqual(rows[0])
    expect(read.arrays()).toEqual([
      ['n1', 1],
      ['n2', 2],
    ])
  })

  fact('no row is undefined or empty', scene => {
    const read = openFilled(scene).prepare('SELECT * FROM t WHERE id = ?')
    expect([read.get(99), read.all(99), read.arrays(99), [...read.iterate(99)]]).toEqual([undefined, [], [], []])
  })

  fact('arrays have columns of the same name apart', ({ connect }) => {
    expect(connect().prepare('SELECT 1 AS a, 2 AS a').arrays()).toEqual([[1, 2]])
  })

  fact('tells what only reads', scene => {
    const driver = openFilled(scene)
    expect([driver.prepare('SELECT 1').readonly, driver.prepare(INSERT).readonly]).toEqual([true, false])
  })
}

function describeUse({ fact, expect }: Suite): void {
  fact('a statement is used again with other values, after few rows were read and after it failed', scene => {
    const driver = openFilled(scene)
    const insert = driver.prepare(INSERT)
    expect(errorOf(() => insert.run('n1'))?.code).toBe('database_failed')
    expect(insert.run('n4')).toBe(1)
    const read = driver.prepare('SELECT name FROM t WHERE id >= ? ORDER BY id')
    expect(read.get(2)).toEqual({ name: 'n2' })
    expect(read.all(3)).toEqual([{ name: 'n3' }, { name: 'n4' }])
  })

  fact('a statement that was read from holds up no change of the tables', scene => {
    const driver = openFilled(scene)
    const read = driver.prepare('SELECT name FROM t ORDER BY id')
    read.get()
    driver.exec('ALTER TABLE t ADD COLUMN more')
    expect(read.get()).toEqual({ name: 'n1' })
    driver.exec('DROP TABLE t')
    expect(errorOf(() => read.get())?.code).toBe('database_failed')
  })

  fact('exec runs several statements', ({ connect }) => {
    const driver = connect()
    driver.exec('CREATE TABLE a (x); INSERT INTO a VALUES (1), (2); -- and a remark\n')
    expect(driver.prepare('SELECT count(*) AS count FROM a').get()).toEqual({ count: 2 })
  })

  fact('takes as many values as SQLite does', ({ connect }) => {
    const values = Array.from({ length: 1000 }, (_, at) => at)
    const read = connect().prepare(`SELECT ${values.map(() => '?').join(' + ')} AS sum`)
    expect(read.get(...values)).toEqual({ sum: 499_500 })
  })
}

function describeEnd({ fact, expect }: Suite): void {
  fact('a statement ends, twice and after its connection too', scene => {
    const driver = openFilled(scene)
    const [one, other] = [driver.prepare('SELECT 1'), driver.prepare('SELECT 2')]
    one.get()
    one.free()
    one.free()
    expect(other.arrays()).toEqual([[2]])
    driver.close()
    other.free()
  })

  fact('ten thousand statements that ended leave the connection as it was', ({ connect }) => {
    const driver = connect()
    for (let at = 0; at < 10_000; at++) {
      const statement = driver.prepare(`SELECT ${at}`)
      statement.get()
      statement.free()
    }
    expect(driver.prepare('SELECT 1').arrays()).toEqual([[1]])
  })
}
