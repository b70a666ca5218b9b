// Sends random requests to every route of a server and holds each answer against the server's own /openapi.json.
//   --seed N        the same seed sends the same requests (1)
//   --requests N    how many (20000)
//   --store NAME    memory, sqlite or redis, which is started for it (memory)
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from '../../simulator/programs/bundle.mjs'

const { values } = parseArgs({
  // pnpm hands its own -- on.
  args: process.argv.slice(2).filter((word, at) => at > 0 || word !== '--'),
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '20000' },
    store: { type: 'string', default: 'memory' },
  },
})

const folder = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
mkdirSync(folder, { recursive: true })
const file = `${folder}fuzz-${process.pid}.mjs`
try {
  await bundle(file, { entry: 'packages/e2e/fuzz/child.ts' })
  const words = [
    '--disable-warning=ExperimentalWarning',
    '--enable-source-maps',
    file,
    values.seed,
    values.requests,
    values.store,
  ]
  const child = spawn(process.execPath, words, { stdio: 'inherit' })
  process.exitCode = await new Promise(resolve => child.once('close', code => resolve(code ?? 1)))
} finally {
  rmSync(file, { force: true })
}
