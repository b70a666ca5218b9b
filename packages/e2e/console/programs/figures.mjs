// How soon pages of the console show something over many objects, and what an open console costs pulls: objects, users, devices.
//   console:figures 1000000 2000 500
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../simulator/programs/bundle.mjs'

// pnpm hands its own -- on.
const words = process.argv.slice(2).filter((word, at) => at > 0 || word !== '--')
const folder = fileURLToPath(new URL('../../dist/', import.meta.url))
mkdirSync(folder, { recursive: true })
const file = `${folder}figures-${process.pid}.mjs`
try {
  await bundle(file, { entry: 'packages/e2e/console/figures.ts' })
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...words], { stdio: 'inherit' })
  process.exitCode = await new Promise(resolve => child.once('close', code => resolve(code ?? 1)))
} finally {
  rmSync(file, { force: true })
}
