/** Prints the slowest files of the last test run: 20, or the number given as argument. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.ts'

interface FileTime {
  /** Path relative to the root. */
  readonly file: string
  readonly seconds: number
}

const times = join(root, 'node_modules/.cache/tests/times.json')
if (!existsSync(times)) throw new Error('expected the times of a test run, got none: run the tests first')
const files = JSON.parse(readFileSync(times, 'utf8')) as FileTime[]
const count = Number(process.argv[2] ?? 20)
const sum = (some: readonly FileTime[]) => some.reduce((all, { seconds }) => all + seconds, 0)
const slowest = files.sort((left, right) => right.seconds - left.seconds).slice(0, count)

for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`)
process.stdout.write(
  `${slowest.length} of ${files.length} files: ${sum(slowest).toFixed(0)} of ${sum(files).toFixed(0)} s\n`,
)
