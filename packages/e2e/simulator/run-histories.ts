import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./programs/simulate.mjs', import.meta.url))

/** Runs the simulator in a process of its own, where time can stand still; what it prints, and how it ended. */
export function runHistories(words: readonly string[]): { readonly code: number | null; readonly out: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--workers', '1', ...words], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: status, out: stdout + stderr }
}
