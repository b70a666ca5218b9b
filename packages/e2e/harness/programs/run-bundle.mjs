import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../simulator/programs/bundle.mjs'

const FLAGS = ['--disable-warning=ExperimentalWarning', '--enable-source-maps']

/** The words of this command. */
// pnpm hands its own -- on.
export const given = process.argv.slice(2).filter((word, at) => at > 0 || word !== '--')

/**
 * Runs a program of these tests in one file with the product, beside built programs that are as new as their sources; this process ends as it does.
 * `words` are for the program, `flags` for Node.
 */
export async function runBundle(entry, { words = given, flags = [] } = {}) {
  // Nothing of it goes to the standard output, which a program may write JSON to.
  const build = fileURLToPath(new URL('../../../../scripts/build.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [build, '--stale'], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(1)
  // As deep as its sources, which find the programs of the workspace by their place.
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
