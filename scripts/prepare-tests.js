import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs once before all tests. */
export default function prepareTests() {
  process.env.PROPERTY_SEED ??= String(seedOfContent())
  for (const script of ['descriptions.ts', 'sqlite-wasm.ts'])
    execFileSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], { stdio: 'inherit' })
}

/**
 * Returns the seed of property tests, derived from the committed content: the same commit always passes or fails.
 * `PROPERTY_SEED=7 pnpm test` uses another seed.
 */
function seedOfContent() {
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number.parseInt(tree.slice(0, 7), 16)
  } catch {
    return 1 // no repository: an unpacked archive
  }
}
