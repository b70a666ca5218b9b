// Takes pictures of Field Visits in each of its states: folder, names of states, widths, webp or png.
//   visits:pictures docs/pictures list,refused 390,1440
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../simulator/programs/bundle.mjs'

// pnpm hands its own -- on.
const words = process.argv.slice(2).filter((word, at) => at > 0 || word !== '--')
// As deep as its sources, which find the built server by their place.
const folder = fileURLToPath(new URL('../../dist/', import.meta.url))
mkdirSync(folder, { recursive: true })
const file = `${folder}pictures-${process.pid}.mjs`
try {
  await bundle(file, { entry: 'packages/e2e/browser/pictures.ts' })
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...words], { stdio: 'inherit' })
  process.exitCode = await new Promise(resolve => child.once('close', code => resolve(code ?? 1)))
} finally {
  rmSync(file, { force: true })
}
