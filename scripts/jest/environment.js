import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Jest's Node environment, resolved through jest, since it is a transitive dependency. */
const { TestEnvironment } = ['jest', '@jest/core', 'jest-config', 'jest-environment-node'].reduce(
  ({ require }, name) => ({ require: createRequire(require.resolve(name)), ...require(name) }),
  { require: createRequire(import.meta.url) },
)

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Milliseconds after which a resource that is still open counts as left open, and the interval of checks. */
const PATIENCE = 1000
const STEP = 20

/** The file for this process's steps, by which the run detects hung tests; undefined outside a run. */
const STEPS = process.env.TEST_STEPS && join(process.env.TEST_STEPS, `${process.pid}.step`)
/** Jest's events that count as progress. Each step has a timeout, except loading a file. */
const IS_STEP = new Set(['setup', 'run_start', 'hook_success', 'test_start', 'test_done', 'run_finish'])

/** A Node environment that records steps, and reports test files that leave resources open, which would keep their worker alive. */
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
    // Jest reads stdin for each file that imports node:process; referenced, it would count as open and keep the worker alive.
    process.stdin.unref?.()
    // Their first use opens them, and may come in a test.
    void [process.stdout, process.stderr]
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

/** Returns the resources that keep this process alive: kind → count. */
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
