import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs once before all tests: says which part of the rotating tests is next (four commits share one, since each runs a quarter of the deep tests), and makes what is generated. */
export default function prepareTests() {
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' })
  // Without a repository, as in an unpacked archive, it is the first turn.
  process.env.TEST_TURN ??= String(Math.floor(Number(stdout ?? 0) / 4))
  execFileSync(process.execPath, [fileURLToPath(new URL('../generate.ts', import.meta.url))], { stdio: 'inherit' })
}
