import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { redisIsThere } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import type { Report } from './report.js'

const program = fileURLToPath(new URL('../../dist/load-program.js', import.meta.url))

async function load(...words: string[]): Promise<Report> {
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--json', ...words], { env })
  return JSON.parse(stdout) as Report
}

const small = [
  '--devices',
  '50',
  '--objects',
  '200',
  '--rounds',
  '4',
  '--writes',
  '2',
  '--changes',
  '3',
  '--streams',
  '--heartbeat',
  '1',
]

const figures = (report: Report) =>
  report.steps.flatMap(({ count, p50, p99, serverCpu, loadCpu, serverShare, loadShare }) => {
    expect(count).toBeGreaterThan(0)
    return [p50, p99, serverCpu, loadCpu, serverShare, loadShare]
  })

function expectWhole(report: Report): void {
  expect(report.steps.map(({ errors }) => errors)).toEqual([[], [], [], [], []])
  expect(report.failed).toBe(0)
  expect(report.steps.map(({ name, count }) => [name, count])).toEqual([
    ['join', 50],
    ['sync', 200],
    ['listen', 50],
    ['beat', 50],
    ['hear', 50],
  ])
  // In each round, 25 devices push a new object and receive its outcome, and all receive three changes.
  expect(report.steps[0]?.rows).toBe(50 * 200)
  expect(report.steps[1]).toMatchObject({ requests: 200 * 2 + 4 * 25, rows: 200 * 3 + 4 * 25 })
  expect(report.steps[4]?.rows).toBe(50)
  for (const value of figures(report)) expect(value).toBeGreaterThanOrEqual(0)
  for (const value of Object.values(report.costs)) expect(Number.isFinite(value)).toBe(true)
  expect(report.costs.storePerObject).toBeGreaterThan(244)
  expect(report.costs.storePerDevice).toBeGreaterThan(0)
  for (const { live, resident, store } of Object.values(report.memory)) {
    expect(live).toBeGreaterThan(0)
    expect(resident).toBeGreaterThan(live)
    expect(store).toBeGreaterThan(0)
  }
}

describe('a crowd of devices', () => {
  test('syncs with a server on SQLite without an error, and the report has the figures', async () => {
    const report = await load(...small)
    expectWhole(report)
    expect(report.steps.map(({ redisCpu }) => redisCpu)).toEqual([0, 0, 0, 0, 0])
  }, 120_000)

  const there = redisIsThere() ? test : test.skip
  there(
    'syncs with two servers on one Redis without an error, from two processes over kept connections',
    async () => {
      const report = await load(
        ...small,
        ...['--store', 'redis', '--servers', '2', '--processes', '2', '--connections', 'kept'],
      )
      expectWhole(report)
      expect(report.steps[1]?.redisCpu).toBeGreaterThan(0)
    },
    120_000,
  )

  test('ends with 2 and usage for words that it does not know', () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, '--devices', '0'], { encoding: 'utf8' })
    expect([stdout, stderr, status]).toEqual(['', '--devices: expected 1 or more, got 0.\n', 2])
  })
})
