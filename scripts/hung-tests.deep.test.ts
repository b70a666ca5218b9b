import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root } from './workspace.js'

/** Test files that hang in each way that jest's timeouts do not end, and one that passes. */
const FILES = {
  'loops.test.ts': "it('turns for ever', () => { for (;;); })",
  'loads.test.ts': "await new Promise(() => setInterval(() => {}, 1000))\nit('is never reached', () => {})",
  'child.test.ts':
    "import { execFileSync } from 'node:child_process'\nit('waits for its child', () => { execFileSync('sleep', ['1000']) })",
  'passes.test.ts': "it('passes', () => {})",
}

const folder = mkdtempSync(join(tmpdir(), 'godwit-hung-tests-'))
const config = join(folder, 'jest.config.json')

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const settings = {
    rootDir: folder,
    extensionsToTreatAsEsm: ['.ts'],
    transform: { '\\.ts$': join(root, 'node_modules/@swc/jest') },
    testEnvironment: join(root, 'scripts/jest/environment.js'),
    reporters: [join(root, 'scripts/jest/reporter.js')],
  }
  writeFileSync(config, JSON.stringify(settings))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the files whose path contains one of `words`, like the tests of this workspace. */
function run(...words: readonly string[]) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'scripts/test.ts'), '--config', config, ...words],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, CI: '', TEST_FAILURES: join(folder, 'failures.txt'), TEST_HUNG_AFTER: '12' },
    },
  )
  return { status, told: stdout }
}

const NO_STEP = 'has made no step for \\d+ s and is ended'

test('a file that hangs is named with what it does, and fails; the others run', () => {
  const { status, told } = run('--maxWorkers', '2')
  expect(told).toMatch(new RegExp(`✗ .*loops\\.test\\.ts ${NO_STEP}, in: turns for ever\\n {4}its event loop`))
  expect(told).toMatch(new RegExp(`✗ .*loads\\.test\\.ts ${NO_STEP}\\n {4}open: .*timer`))
  expect(told).toMatch(new RegExp(`✗ .*child\\.test\\.ts ${NO_STEP}, in: .* child\\n {4}its process: sleep 1000`))
  expect(told).toMatch(/✓ .*passes\.test\.ts/)
  expect(told).toMatch(/^1 passed, 3 failed, 0 skipped$/m)
  expect(status).toBe(1)
}, 300_000)

test('a run of one file that hangs ends, in the process of jest itself', () => {
  const { status, told } = run('loops')
  expect(told).toMatch(new RegExp(`loops\\.test\\.ts ${NO_STEP}, in: turns for ever`))
  expect(status).not.toBe(0)
}, 300_000)
