// Runs a program of packages/e2e/soak in a process whose collector can be called; it prints what it measured as JSON.
//   heap-child STORE TIMES FLAT    bytes that a call of each kind leaves in the heap, once it is flat
//   stream-child STORE OBJECTS    the heap while a query streams that number of objects
// STORE is memory, SQLite or Redis, which is started for it.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../simulator/programs/bundle.mjs'

// pnpm hands its own -- on.
const [program, ...words] = process.argv.slice(2).filter((word, at) => at > 0 || word !== '--')
const folder = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
mkdirSync(folder, { recursive: true })
const file = `${folder}${program}-${process.pid}.mjs`
try {
  await bundle(file, { entry: `packages/e2e/soak/${program}.ts` })
  const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning', '--enable-source-maps']
  const child = spawn(process.execPath, [...flags, file, ...words], { stdio: 'inherit' })
  process.exitCode = await new Promise(resolve => child.once('close', code => resolve(code ?? 1)))
} finally {
  rmSync(file, { force: true })
}
