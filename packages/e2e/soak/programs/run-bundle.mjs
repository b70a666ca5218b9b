import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../simulator/programs/bundle.mjs'

/** Runs a program of these tests with the words of this command, in one file with the product; this process ends as it does. */
export async function runBundle(name, entry) {
  // pnpm hands its own -- on.
  const words = process.argv.slice(2).filter((word, at) => at > 0 || word !== '--')
  // As deep as its sources, which find the programs of the workspace by their place.
  const folder = fileURLToPath(new URL('../../dist/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const file = `${folder}${name}-${process.pid}.mjs`
  try {
    await bundle(file, { entry })
    const flags = ['--disable-warning=ExperimentalWarning', '--enable-source-maps']
    const child = spawn(process.execPath, [...flags, file, ...words], { stdio: 'inherit' })
    process.exitCode = await new Promise(resolve => child.once('close', code => resolve(code ?? 1)))
  } finally {
    rmSync(file, { force: true })
  }
}
