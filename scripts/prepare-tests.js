import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs once before all tests: says which part of the rotating tests is next, and makes what is generated. */
export default function prepareTests() {
  // Some test files are run by other directories' jest; the number of commits is that of this repository.
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' })
  process.env.TEST_TURN ??= String(Number(stdout ?? 0))
  for (const script of ['descriptions.ts', 'sqlite-wasm.ts'])
    execFileSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], { stdio: 'inherit' })
}
