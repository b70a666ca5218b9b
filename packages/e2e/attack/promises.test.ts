import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { inRepository } from '../harness/process.js'

const rows = readFileSync(inRepository('SECURITY.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !/^\| (promise|---) /.test(line))

/** True for a test file, or a suite that several tests run and whose name lacks `.test`. */
const isOfTests = (target: string): boolean => /\.test\.ts$|\/conformance\/|\/suite\//.test(target)

test('each promise of SECURITY.md links to a test that shows it', () => {
  expect(rows.length).toBeGreaterThan(15)
  const untested = rows.filter(row => ![...row.matchAll(/\]\(([^)\s]+)\)/g)].some(([, to = '']) => isOfTests(to)))
  expect(untested).toEqual([])
})
