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

const COUNT = 20
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const column = (seconds: number): string => `${seconds.toFixed(0).padStart(6)} s`

function filesOf(tier: string): readonly { readonly file: string; readonly seconds: number }[] {
  const path = join(root, `node_modules/.cache/tests/${tier}.json`)
  if (!existsSync(path)) return []
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Results
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }))
}

const files = ['fast', 'deep', 'night'].flatMap(filesOf).sort((a, b) => b.seconds - a.seconds)
if (files.length === 0) throw new Error('expected the results of a test run, got none: run the tests first')
say(`the ${Math.min(COUNT, files.length)} slowest of ${files.length} files`)
for (const { file, seconds } of files.slice(0, COUNT)) say(`${column(seconds)}  ${file}`)

const [list] = process.argv.slice(2)
const steps = list === undefined ? [] : readFileSync(list, 'utf8').trim().split('\n')
const rows = steps.map(line => {
  const [name = '', seconds, budget] = line.split(' ')
  return { name, seconds: Number(seconds), budget: Number(budget) }
})
const sum = (key: 'seconds' | 'budget') => rows.reduce((total, row) => total + row[key], 0)
if (rows.length > 0) say('\nsteps, beside their budgets on two idle cores')
for (const { name, seconds, budget } of [...rows, { name: 'all', seconds: sum('seconds'), budget: sum('budget') }])
  if (rows.length > 0)
    say(`${column(seconds)} of ${column(budget)}  ${name}${seconds > budget ? '  ⚠ above its budget' : ''}`)
