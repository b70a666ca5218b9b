import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root } from './workspace.js'

const folder = mkdtempSync(join(tmpdir(), 'godwit-second-run-'))
const marker = join(folder, 'has-run')

/** A file that passes, one that is broken, and one that fails when it runs for the first time. */
const FILES = {
  'passes.test.ts': "it('passes', () => {})",
  'broken.test.ts': "it('works', () => { throw new Error('it is broken') })\nit('is beside it', () => {})",
  'busy.test.ts': `import { existsSync, writeFileSync } from 'node:fs'
it('is in time', () => {
  const isSecond = existsSync(${JSON.stringify(marker)})
  writeFileSync(${JSON.stringify(marker)}, '')
  if (!isSecond) throw new Error('the machine is busy')
})`,
}

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const settings = {
    rootDir: folder,
    extensionsToTreatAsEsm: ['.ts'],
    transform: { '\\.ts$': join(root, 'node_modules/@swc/jest') },
    testEnvironment: join(root, 'scripts/jest/environment.js'),
    reporters: [join(root, 'scripts/jest/reporter.js')],
  }
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(settings))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the files whose path contains one of `words`, for the first time. */
function run(ci: string, ...words: readonly string[]) {
  rmSync(marker, { force: true })
  const command = [join(root, 'scripts/test.ts'), '--config', join(folder, 'jest.config.json'), ...words]
  const env = { ...process.env, CI: ci, TEST_FAILURES: join(folder, 'failures.txt') }
  const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8', env })
  return { status, output: stdout, failures: readFileSync(join(folder, 'failures.txt'), 'utf8') }
}

test('in CI a file that fails once is named and green, with its first failure on record', () => {
  const { status, output, failures } = run('1', 'passes', 'busy')
  expect(output).toMatch(
    /green on the second run, when alone:\n {2}.*busy\.test\.ts\n\n2 passed, 0 failed, 0 skipped\n$/,
  )
  expect(failures).toContain('the machine is busy')
  expect(status).toBe(0)
})

test('in CI a file that fails twice is red, beside one that fails once', () => {
  const { status, output, failures } = run('1')
  expect(output).toMatch(/2 red files run a second time, each alone\n/)
  expect(output.match(/^✓ .*passes\.test\.ts$/gm)).toHaveLength(1)
  expect(output).toMatch(/when alone:\n {2}.*busy\.test\.ts\n\n3 passed, 1 failed, 0 skipped\n$/)
  expect(failures).toMatch(/the machine is busy[\s\S]*On the second run, when alone:[\s\S]*it is broken/)
  expect(status).toBe(1)
})

test('outside of CI a red file runs once', () => {
  const { status, output } = run('', 'busy')
  expect(output).not.toContain('a second time')
  expect(status).toBe(1)
})
