/**
 * Runs a tier of tests: the fast ones, with `--deep` or `--night` the others; the path of a test file selects it in any tier. All other arguments are
 * passed to jest, with the seed of the committed content unless `--seed` gives another. In CI, red files run a second time, alone.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { HungTests } from './hung-tests.ts'
import { type JestRun, readResult, runAgainAlone } from './second-run.ts'
import { root } from './workspace.ts'

/** The tiers with their projects of jest. What runs at night includes all others. */
const PROJECTS = { fast: ['fast'], deep: ['deep'], night: ['fast', 'deep', 'night'] } as const
type Tier = keyof typeof PROJECTS

/** Workers per core: fast tests often wait for timers and disks; deep ones start browsers and servers, which starve beside each other. */
const WORKERS = { fast: 1.5, deep: 1, night: 1 } as const

const OPTIONS: { readonly [option: string]: Tier } = { '--deep': 'deep', '--night': 'night' }

/** Started servers hash the passwords of the admin and of the demo; at the default cost each start would take seconds of processor time. */
const CHEAP_PASSWORDS = { SYNC_PASSWORD_COST: '16' } as const

const given = process.argv.slice(2).filter(word => word !== '--') // pnpm passes on its `--`
const words = given.filter(word => OPTIONS[word] === undefined)
const namesFile = words.some(word => word.endsWith('.test.ts') && existsSync(join(root, word)))
const chosen = given.flatMap(word => OPTIONS[word] ?? [])[0]
// A file that is run by its path does what it does among the deep ones.
const tier = chosen ?? (namesFile ? 'deep' : 'fast')

/** Returns jest's arguments where the caller has given none. */
function defaults(): readonly string[] {
  const has = (pattern: RegExp) => words.some(word => pattern.test(word))
  const seed = has(/^--seed/) ? [] : [`--seed=${seedOfContent()}`]
  const workers = has(/^(-i|-w|--runInBand|--maxWorkers)/)
    ? []
    : [`--maxWorkers=${Math.ceil(availableParallelism() * WORKERS[tier])}`]
  if (has(/^--config/)) return [...seed, ...workers]
  // Last, because jest takes all following arguments as names of projects.
  return [...seed, ...workers, '--selectProjects', ...PROJECTS[namesFile ? 'night' : tier]]
}

/** Returns a seed of the committed content: the same commit always passes or fails. */
function seedOfContent(): number {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : 1 // no repository: an unpacked archive
}

/** Runs jest, and ends what hangs. Its reporter writes the result to the file `TEST_RESULT`. */
const runJest: JestRun = async ({ options = [], environment }) => {
  const hung = new HungTests()
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...hung.words]
  // The second run of one file is not divided.
  const own = environment['TEST_RUN'] === 'second' ? words.filter(word => !word.startsWith('--shard')) : words
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), ...own, ...options, ...defaults()]
  const child = spawn(process.execPath, [...node, ...jest], {
    cwd: root,
    stdio: 'inherit',
    env: { ...CHEAP_PASSWORDS, ...hung.environment, TEST_TIER: tier, ...environment },
  })
  // The terminal signals the whole process group; this process waits for jest's exit.
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward)
  const ended = once(child, 'exit')
  await hung.watch({ pid: child.pid ?? 0, ended })
  const [code, signal] = await ended
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, forward)
  return code ?? (signal === null ? 1 : 130)
}

const folder = mkdtempSync(join(tmpdir(), 'godwit-results-'))
try {
  const result = join(folder, 'first.json')
  const code = await runJest({ environment: { TEST_RESULT: result, TEST_RUN: 'first' } })
  const first = readResult(result)
  const isRed = first !== undefined && first.red.length > 0
  process.exitCode = process.env['CI'] && code === 1 && isRed ? await runAgainAlone(first, { runJest, folder }) : code
} finally {
  rmSync(folder, { recursive: true, force: true })
}
