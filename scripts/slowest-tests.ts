/**
 * Prints the slowest files of the last run of each tier. Given a file of CI's steps, with a line `<command> <seconds> <budget>` for each, also their
 * seconds beside the budget, and a warning above it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './workspace.ts'

/** What is read of jest's JSON. */
interface Results {
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[]
}

interface FileTime {
  /** Path relative to the root. */
  readonly file: string
  readonly seconds: number
}

/** A command of CI. Times are in seconds. */
interface Step {
  readonly name: string
  readonly seconds: number
  readonly budget: number
}

const COUNT = 20
/** Seconds that CI may take as a whole. */
const WHOLE = 2400
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const column = (seconds: number): string => `${seconds.toFixed(0).padStart(6)} s`

function filesOf(tier: string): readonly FileTime[] {
  const path = join(root, `node_modules/.cache/tests/${tier}.json`)
  if (!existsSync(path)) return []
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Results
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }))
}

function stepsIn(path: string): readonly Step[] {
  const steps = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => line.split(' '))
    .map(([name = '', seconds, budget]) => ({ name, seconds: Number(seconds), budget: Number(budget) }))
  return [...steps, { name: 'all', seconds: steps.reduce((sum, { seconds }) => sum + seconds, 0), budget: WHOLE }]
}

const files = ['fast', 'deep', 'night'].flatMap(filesOf).sort((a, b) => b.seconds - a.seconds)
if (files.length === 0) throw new Error('expected the results of a test run, got none: run the tests first')
say(`the ${Math.min(COUNT, files.length)} slowest of ${files.length} files`)
for (const { file, seconds } of files.slice(0, COUNT)) say(`${column(seconds)}  ${file}`)

const [list] = process.argv.slice(2)
if (list !== undefined) {
  say('\nsteps, beside their budgets on two idle cores')
  for (const { name, seconds, budget } of stepsIn(list))
    say(`${column(seconds)} of ${column(budget)}  ${name}${seconds > budget ? '  ⚠ above its budget' : ''}`)
}
