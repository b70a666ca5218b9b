/** The second run of red test files, by which CI tells a broken test from a busy machine. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Numbers of tests. */
interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** A test file with a failed test, or that did not run. */
interface RedFile extends Counts {
  /** The absolute path. */
  readonly path: string
  /** The path relative to the root. */
  readonly file: string
}

/** What the reporter writes of a run. */
export interface RunResult extends Counts {
  readonly red: readonly RedFile[]
}

/** Runs jest with more options and variables, and returns its exit code. */
export type JestRun = (run: {
  readonly options?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}) => Promise<number>

/** Returns the result of a run; undefined if jest ended before it wrote one. */
export function readResult(path: string): RunResult | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Runs the red files of a run once more, one at a time with nothing beside them. Prints those that are green then, and the
 * numbers of both runs together. The first failures stay in failures.txt. Returns the exit code: 1 if a file is red again.
 */
export async function runAgainAlone(
  first: RunResult,
  { runJest, folder }: { readonly runJest: JestRun; readonly folder: string },
): Promise<number> {
  say(`\n${first.red.length} red files run a second time, each alone`)
  const green: string[] = []
  let total: Counts = first
  for (const [at, red] of first.red.entries()) {
    const path = join(folder, `second-${at}.json`)
    const environment = { TEST_RESULT: path, TEST_ONLY: red.path, TEST_RUN: 'second' }
    const code = await runJest({ options: ['--filter', join(import.meta.dirname, 'jest/only.cjs')], environment })
    const second = readResult(path)
    if (second) total = sum(sum(total, second), red, -1)
    if (code === 0) green.push(red.file)
  }
  if (green.length > 0) say(`\ngreen on the second run, when alone:\n${green.map(file => `  ${file}`).join('\n')}`)
  say(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  return green.length === first.red.length ? 0 : 1
}

const sum = (one: Counts, other: Counts, factor = 1): Counts => ({
  passed: one.passed + factor * other.passed,
  failed: one.failed + factor * other.failed,
  skipped: one.skipped + factor * other.skipped,
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)
