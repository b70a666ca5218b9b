/**
 * Runs the tests without `.deep` in their names, or with `--deep` only those. Paths of test files select any; `--only TEXT` selects by a part of
 * the path; all other arguments are passed to jest.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { HungTests } from './hung-tests.ts'
import { root } from './workspace.ts'

const LISTS = { newcomer: '**/!(*.deep).test.ts', deep: '**/*.deep.test.ts', both: '**/*.test.ts' } as const

/** Number of workers: 1.5 per core, since tests often wait for timers, disks and other processes; deep tests start browsers and servers themselves. */
const workersFor = (isDeep: boolean): number => Math.ceil(availableParallelism() * (isDeep ? 1 : 1.5))

/** Returns the arguments for jest. */
function jestWords(words: readonly string[]): readonly string[] {
  const chosen: string[] = []
  const rest: string[] = []
  let isDeep = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    // pnpm passes on its `--`.
    if (word === '--') continue
    if (word === '--deep') isDeep = true
    else if (word === '--only') chosen.push(valueAfter(words, at++))
    else rest.push(word)
  }
  const namesFile = rest.some(word => /\.test\.ts$/.test(word) && existsSync(join(root, word)))
  const list = namesFile ? 'both' : isDeep ? 'deep' : 'newcomer'
  // Last, because jest takes all following arguments as patterns.
  return [...escapeParts(chosen), ...rest, ...defaults(rest, isDeep), '--testMatch', LISTS[list]]
}

const defaults = (words: readonly string[], isDeep: boolean): readonly string[] =>
  words.some(word => /^(-i|-w|--runInBand|--maxWorkers)/.test(word)) ? [] : ['--maxWorkers', `${workersFor(isDeep)}`]

const escapeParts = (parts: readonly string[]) => parts.map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))

function valueAfter(words: readonly string[], at: number): string {
  const value = words[at + 1]
  if (value === undefined) throw new Error('expected a part of a path after --only, got nothing')
  return value
}

const hung = new HungTests()
const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...hung.words]
const words = [...node, join(root, 'node_modules/jest/bin/jest.js'), ...jestWords(process.argv.slice(2))]
const jest = spawn(process.execPath, words, { cwd: root, stdio: 'inherit', env: hung.environment })
// The terminal signals the whole process group; this process waits for jest's exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => jest.kill(signal))
const ended = once(jest, 'exit')
await hung.watch({ pid: jest.pid ?? 0, ended })
const [code, signal] = await ended
process.exitCode = code ?? (signal === null ? 1 : 130)
