// A mixed load of many devices at a server, for minutes or hours; prints what it measured as JSON and ends with 1 if anything was lost or failed.
//   mixed --minutes 120 --devices 2000 --seed 7
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../simulator/programs/bundle.mjs'

// pnpm hands its own -- on.
const words = process.argv.slice(2).filter((word, at) => at > 0 || word !== '--')
// As deep as its sources, which find the programs of the workspace by their place.
const folder = fileURLToPath(new URL('../../dist/', import.meta.url))
mkdirSync(folder, { recursive: true })
const file = `${folder}mixed-${process.pid}.mjs`
try {
  await bundle(file, { entry: 'packages/e2e/soak/mixed/program.ts' })
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...words], { stdio: 'inherit' })
  process.exitCode = await new Promise(resolve => child.once('close', code => resolve(code ?? 1)))
} finally {
  rmSync(file, { force: true })
}
