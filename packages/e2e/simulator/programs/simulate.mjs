// Bundles the simulator with the product's sources, optionally with a planted fault, and runs histories in separate processes.
//   --seed N           one history, with a trace of its steps
//   --histories N      number of histories, beginning with seed --first (1), on all cores
//   --about NAME       use this scenario of world/scenarios.ts or world/feature-scenarios.ts for all of them
//   --store NAME       use memory, sqlite or redis instead of the stores drawn by the seeds
//   --mutant JSON      plant this fault of mutants/, to find the seeds that notice it
//   --bundle FILE      run this bundle; if it does not exist, create and keep it
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './bundler.ts'
import { failureText } from './run-bundle.ts'

const { values } = parseArgs({
  // pnpm passes on its `--`.
  args: process.argv.slice(2).filter((word, at) => at > 0 || word !== '--'),
  options: {
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    histories: { type: 'string', default: '200' },
    workers: { type: 'string' },
    mutant: { type: 'string' },
    about: { type: 'string' },
    whole: { type: 'boolean', default: false },
    survey: { type: 'boolean', default: false },
    store: { type: 'string' },
    bundle: { type: 'string' },
  },
})

/** Number of histories per line of the log. */
const LOGGED = 1000
const STORES = ['memory', 'sqlite', 'redis']
if (values.store !== undefined && !STORES.includes(values.store))
  throw new Error(`Expected --store to be one of ${STORES.join(', ')}, got ${values.store}.`)
const kind = { whole: values.whole, about: values.about, store: values.store }

const folder = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
mkdirSync(folder, { recursive: true })
const file = values.bundle ?? `${folder}simulator-${process.pid}.mjs`
if (!existsSync(file))
  await bundle(file, { mutant: values.mutant === undefined ? undefined : JSON.parse(values.mutant) })

function run(order, heard) {
  return new Promise(resolve => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--enable-source-maps', file, JSON.stringify(order)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) heard(JSON.parse(line), child)
    })
    child.once('close', code => resolve(code ?? 1))
  })
}

try {
  if (values.seed !== undefined) {
    const heard = line =>
      line.failure
        ? process.stdout.write(failureText(line, values))
        : line.ended && process.stdout.write(`✓ seed ${values.seed}: ${line.steps} steps, every promise was kept\n`)
    process.exitCode = await run(
      { ...kind, first: Number(values.seed), histories: 1, trace: true, survey: false },
      heard,
    )
  } else {
    const [first, histories] = [Number(values.first), Number(values.histories)]
    const workers = Math.min(Number(values.workers ?? availableParallelism()), histories)
    const share = Math.ceil(histories / workers)
    const done = new Array(workers).fill(0)
    const begun = Date.now()
    const children = new Set()
    // A terminal shows each update. A log gets one line per 1,000 histories, which shows the progress of a run that was aborted.
    const sum = () => done.reduce((all, one) => all + one, 0)
    const seconds = () => Math.round((Date.now() - begun) / 1000)
    const progress = () => {
      const text = `${sum()} of ${histories} histories, ${seconds()} s`
      if (process.stdout.isTTY) process.stdout.write(`\r${text}`)
      else if (sum() % LOGGED === 0) process.stdout.write(`${text}\n`)
    }
    const work = worker => {
      const from = first + worker * share
      const count = Math.min(share, first + histories - from)
      if (count <= 0) return 0
      const order = { ...kind, first: from, histories: count, trace: false, survey: values.survey }
      return run(order, (line, child) => {
        children.add(child)
        if (line.promise) process.stdout.write(`✗ seed ${line.seed}: ${line.message}\n`)
        if (line.failure) {
          process.stdout.write(failureText(line, values))
          for (const other of children) if (other !== child) other.kill()
        }
        if (line.done) done[worker] = line.done
        progress()
      })
    }
    const codes = await Promise.all(done.map((_, worker) => work(worker)))
    process.exitCode = Math.max(...codes)
    process.stdout.write(`${process.stdout.isTTY ? '\n' : ''}${sum()} histories in ${seconds()} s\n`)
  }
} finally {
  if (values.bundle === undefined) rmSync(file, { force: true })
}
