import { expect, jest, test } from '@jest/globals'
import { loadSqliteInNode } from '../testing/load-sqlite-in-node.js'
import { warmUp } from './warm-up.js'

test('every statement that warms SQLite up runs, until the files are open', async () => {
  const sqlite3 = await loadSqliteInNode()
  const exec = jest.spyOn(sqlite3.capi, 'sqlite3_exec')
  await warmUp(sqlite3, () => false)
  const codes = exec.mock.results.map(({ value }) => value)
  expect(codes.length).toBeGreaterThan(1)
  expect(new Set(codes)).toEqual(new Set([0]))
  exec.mockClear()
  await warmUp(sqlite3, () => true)
  expect(exec).not.toHaveBeenCalled()
})
