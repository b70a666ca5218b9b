import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Once before all tests. */
export default function prepareTests() {
  process.env.PROPERTY_SEED ??= String(seedOfContent())
  for (const script of ['descriptions.ts', 'sqlite-wasm.ts'])
    execFileSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], { stdio: 'inherit' })
}

/**
 * Property tests ask the same questions of the same content, and others as soon as anything is committed: a commit is right or wrong, not now and then.
 * `PROPERTY_SEED=7 pnpm test` asks others of the same.
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
