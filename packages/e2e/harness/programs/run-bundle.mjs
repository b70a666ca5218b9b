import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../simulator/programs/bundler.ts'

const FLAGS = ['--disable-warning=ExperimentalWarning', '--enable-source-maps']

/** The command line arguments, without the leading `--` that pnpm passes on. */
export const given = process.argv.slice(2).filter((word, at) => at > 0 || word !== '--')

/**
 * Bundles a program of the tests with the product's sources, builds stale dist folders, and runs it; this process exits with its code.
 * `words` are arguments of the program, `flags` of Node.
 */
export async function runBundle(entry, { words = given, flags = [] } = {}) {
  // The build logs to stderr, because the program may write JSON to stdout.
  const build = fileURLToPath(new URL('../../../../scripts/build.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [build, '--stale'], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(1)
  // The bundle needs the folder depth of its sources, from which it resolves other programs of the workspace.
  const folder = fileURLToPath(new URL('../../dist/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const file = `${folder}${entry.replaceAll('/', '-')}-${process.pid}.mjs`
  try {
    await bundle(file, { entry: `packages/e2e/${entry}.ts` })
    const child = spawn(process.execPath, [...FLAGS, ...flags, file, ...words], { stdio: 'inherit' })
    process.exitCode = await new Promise(resolve => child.once('close', code => resolve(code ?? 1)))
  } finally {
    rmSync(file, { force: true })
  }
}
