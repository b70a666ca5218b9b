import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The environment of the jest that runs: a dependency of its dependencies. */
const { TestEnvironment } = ['jest', '@jest/core', 'jest-config', 'jest-environment-node'].reduce(
  ({ require }, name) => ({ require: createRequire(require.resolve(name)), ...require(name) }),
  { require: createRequire(import.meta.url) },
)

const root = fileURLToPath(new URL('..', import.meta.url))
/** What is being closed is gone soon: milliseconds until it counts as left open. */
const PATIENCE = 1000
const STEP = 20

/** Where this process tells its steps, so that the run sees what hangs; undefined outside a run. */
const STEPS = process.env.TEST_STEPS && join(process.env.TEST_STEPS, `${process.pid}.step`)
/** What counts as a step of a file: each has a time limit, but for the loading of a file. */
const IS_STEP = new Set(['setup', 'run_start', 'hook_success', 'test_start', 'test_done', 'run_finish'])

/** Node, its steps told, and a word about each file of tests that leaves something open: it would keep its worker from ending. */
export default class NamingEnvironment extends TestEnvironment {
  #file
  #before = new Map()

  constructor(config, context) {
    super(config, context)
    this.#file = relative(root, context.testPath)
  }

  async setup() {
    this.#step()
    await super.setup()
    // Jest reads it for each file that imports node:process; left as it is, it counts as open and keeps a worker from ending.
    process.stdin.unref?.()
    this.#before = open()
  }

  handleTestEvent({ name, test }) {
    if (IS_STEP.has(name)) this.#step(test?.name)
  }

  async teardown() {
    await super.teardown()
    const left = await leftSince(this.#before)
    if (left.length > 0) process.stderr.write(`${this.#file} leaves open: ${left.join(', ')}\n`)
    if (STEPS) rmSync(STEPS, { force: true })
  }

  #step(title) {
    if (STEPS) writeFileSync(STEPS, JSON.stringify({ file: this.#file, title }))
  }
}

/** What keeps this process alive: kind → how many. */
function open() {
  const kinds = new Map()
  for (const kind of process.getActiveResourcesInfo()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return kinds
}

async function leftSince(before) {
  for (let waited = 0; ; waited += STEP) {
    const left = [...open()].filter(([kind, count]) => count > (before.get(kind) ?? 0))
    if (left.length === 0 || waited >= PATIENCE)
      return left.map(([kind, count]) => `${count - (before.get(kind) ?? 0)} × ${kind}`)
    await new Promise(resolve => setTimeout(resolve, STEP))
  }
}
