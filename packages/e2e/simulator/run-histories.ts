import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll } from '@jest/globals'

const program = fileURLToPath(new URL('./programs/simulate.mjs', import.meta.url))
const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))

/** One bundle for all runs of a test file. */
const shared = `${cache}simulator-shared-${process.pid}.mjs`
mkdirSync(cache, { recursive: true })
rmSync(shared, { force: true })
afterAll(() => rmSync(shared, { force: true }))

/** Runs the simulator in a separate process, whose clock it can stop. Returns its output and exit code. */
export function runHistories(words: readonly string[]): { readonly code: number | null; readonly out: string } {
  const own = [program, '--workers', '1', '--bundle', shared]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...own, ...words], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: status, out: stdout + stderr }
}
