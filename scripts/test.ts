/**
 * Runs a tier of tests: the fast ones, with `--deep` or `--night` the others; the path of a test file selects it in any tier. All other arguments are
 * passed to jest, with the seed of the committed content unless `--seed` gives another.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { HungTests } from './hung-tests.ts'
import { root } from './workspace.ts'

/** The tiers, with their projects of jest. What runs at night includes all others. */
const PROJECTS = { fast: ['fast'], deep: ['deep'], night: ['fast', 'deep', 'night'] } as const
const TIERS = new Map([['--deep', 'deep'] as const, ['--night', 'night'] as const])

/** Workers per core: fast tests often wait for timers and disks; deep ones start browsers and servers, which starve beside each other. */
const WORKERS_PER_CORE = { fast: 1.5, deep: 1, night: 1 } as const

/** Jest's arguments where the caller has given none. */
function defaults(words: readonly string[], tier: keyof typeof PROJECTS): readonly string[] {
  const has = (pattern: RegExp) => words.some(word => pattern.test(word))
  const namesFile = words.some(word => /\.test\.ts$/.test(word) && existsSync(join(root, word)))
  return [
    ...(has(/^--config/) ? [] : ['--json', '--outputFile', join(root, `node_modules/.cache/tests/${tier}.json`)]),
    ...(has(/^--seed/) ? [] : [`--seed=${seedOfContent()}`]),
    ...(has(/^(-i|-w|--runInBand|--maxWorkers)/)
      ? []
      : [`--maxWorkers=${Math.ceil(availableParallelism() * WORKERS_PER_CORE[tier])}`]),
    // Last, because jest takes all following arguments as names of projects.
    ...(has(/^--config/) ? [] : ['--selectProjects', ...PROJECTS[namesFile ? 'night' : tier]]),
  ]
}

/** Returns a seed of the committed content: the same commit always passes or fails. */
function seedOfContent(): number {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : 1 // no repository: an unpacked archive
}

const given = process.argv.slice(2).filter(word => word !== '--') // pnpm passes on its `--`
const words = given.filter(word => !TIERS.has(word as '--deep'))
const tier = [...TIERS].find(([word]) => given.includes(word))?.[1] ?? 'fast'
const namesFiles = words.some(word => word.endsWith('.test.ts'))

const hung = new HungTests()
const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...hung.words]
const jest = spawn(
  process.execPath,
  [...node, join(root, 'node_modules/jest/bin/jest.js'), ...words, ...defaults(words, tier)],
  // A file that is run by its path does what it does among the deep ones.
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...hung.environment, TEST_TIER: namesFiles && tier === 'fast' ? 'deep' : tier },
  },
)
// The terminal signals the whole process group; this process waits for jest's exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => jest.kill(signal))
const ended = once(jest, 'exit')
await hung.watch({ pid: jest.pid ?? 0, ended })
const [code, signal] = await ended
process.exitCode = code ?? (signal === null ? 1 : 130)
