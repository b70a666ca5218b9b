import { errorOf, type Suite } from './driver-conformance.js'

/** Tests of files: creating, attaching, reopening and deleting them. */
export function describeFiles(suite: Suite): void {
  suite.describe('files', () => {
    describeAttached(suite)
    if (suite.isDurable !== false) describeKept(suite)
  })
}

function describeAttached({ fact, expect }: Suite): void {
  fact('four at once, each its own', ({ connect }) => {
    const driver = connect()
    const schemas = ['user', 'app', 'local']
    for (const schema of schemas) driver.attach(`${schema}.sqlite`, schema)
    for (const schema of ['main', ...schemas]) driver.exec(`CREATE TABLE ${schema}.t AS SELECT '${schema}' AS name`)
    const names = ['main', ...schemas].map(schema => driver.prepare(`SELECT name FROM ${schema}.t`).arrays()[0]?.[0])
    expect(names).toEqual(['main', ...schemas])
  })

  fact('a detached one is there no longer', ({ connect }) => {
    const driver = connect()
    driver.attach('user.sqlite', 'user')
    driver.exec('CREATE TABLE user.t (x)')
    driver.detach('user')
    expect(errorOf(() => driver.prepare('SELECT * FROM user.t'))?.code).toBe('database_failed')
  })
}

function describeKept({ fact, expect }: Suite): void {
  fact('what was committed is there after a close, what was not is gone', ({ connect }) => {
    const first = connect()
    first.attach('user.sqlite', 'user')
    first.exec('CREATE TABLE t (x); CREATE TABLE user.u (x); INSERT INTO t VALUES (1); INSERT INTO user.u VALUES (2)')
    first.exec('BEGIN; INSERT INTO t VALUES (3); INSERT INTO user.u VALUES (4)')
    first.close()
    const second = connect()
    second.attach('user.sqlite', 'user')
    expect(second.prepare('SELECT x FROM t UNION ALL SELECT x FROM u').arrays()).toEqual([[1], [2]])
  })

  fact('one is attached again with what it has', ({ connect }) => {
    const driver = connect()
    driver.attach('user.sqlite', 'user')
    driver.exec('CREATE TABLE user.t AS SELECT 1 AS x')
    driver.detach('user')
    driver.attach('user.sqlite', 'other')
    expect(driver.prepare('SELECT x FROM other.t').arrays()).toEqual([[1]])
  })

  fact('a deleted one begins empty, its journals gone with it', ({ drive, connect }) => {
    const first = connect()
    first.exec('CREATE TABLE t AS SELECT 1 AS x')
    first.close()
    drive.delete('device.sqlite')
    drive.delete('device.sqlite')
    drive.delete('never-there.sqlite')
    expect(connect().prepare('SELECT count(*) FROM sqlite_master').arrays()).toEqual([[0]])
  })

  fact('one that was made elsewhere is attached as it is', ({ drive, connect }) => {
    const driver = connect()
    driver.attachPlain('bulk.sqlite', 'bulk')
    driver.exec('CREATE TABLE bulk.object AS SELECT 1 AS id')
    driver.detach('bulk')
    driver.attachPlain('bulk.sqlite', 'bulk')
    expect(driver.prepare('SELECT id FROM bulk.object').arrays()).toEqual([[1]])
    driver.detach('bulk')
    drive.delete('bulk.sqlite')
  })
}
