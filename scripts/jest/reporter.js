import { mkdirSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const FAILURES = process.env.TEST_FAILURES ?? join(root, 'node_modules/.cache/tests/failures.txt')

/** Maximum lines printed of one failure, so that it fits a screen; a file has the rest. */
const LINES = 24
/** Number of failures printed in full; the others are listed by name. */
const PRINTED = 3
/** Number of slowest files listed at the end of a run. */
const SLOWEST = 10
/** True in the run of a file whose first failure is in the file of failures already. */
const isSecond = process.env.TEST_RUN === 'second'

/** A jest reporter: prints a line per file, and at the end each failure with the command that repeats it. */
export default class TestReporter {
  #failures = []
  #red = []
  #times = []
  #started = Date.now()
  #seed

  constructor({ seed }) {
    this.#seed = seed
  }

  onTestResult({ path }, { testResults, testExecError, perfStats, numPassingTests, numPendingTests }) {
    const file = relative(root, path)
    const seconds = (perfStats.end - perfStats.start) / 1000
    this.#times.push({ file, seconds })
    const failed = testResults.filter(({ status }) => status === 'failed')
    for (const { fullName, failureMessages } of failed)
      this.#failures.push({ file, title: fullName, message: failureMessages.join('\n'), seed: this.#seed })
    const broken = testExecError && failed.length === 0
    if (broken) this.#failures.push({ file, message: testExecError.stack ?? testExecError.message, seed: this.#seed })
    const isRed = failed.length > 0 || broken
    if (isRed)
      this.#red.push({ path, file, passed: numPassingTests, failed: failed.length || 1, skipped: numPendingTests })
    say(`${isRed ? '✗' : '✓'} ${seconds.toFixed(1).padStart(6)} s ${String(numPassingTests).padStart(4)}  ${file}`)
  }

  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites, testResults } = results
    this.#write()
    for (const failure of this.#failures.slice(0, PRINTED)) say(`\n${screen(failure)}`)
    for (const { file, title } of this.#failures.slice(PRINTED)) say(`✗ ${file}: ${title ?? 'did not run'}`)
    if (this.#failures.length > 0) say(`\neverything that failed, whole: ${relative(root, FAILURES)}`)
    if (testResults.length > SLOWEST) this.#listSlowest()
    const failed = numFailedTests + numRuntimeErrorTestSuites
    const seconds = ((Date.now() - this.#started) / 1000).toFixed(0)
    say(`\n${testResults.length} files in ${seconds} s`)
    const counts = { passed: numPassedTests, failed, skipped: numPendingTests }
    const { TEST_RESULT } = process.env
    if (TEST_RESULT) writeFileSync(TEST_RESULT, JSON.stringify({ ...counts, red: this.#red }))
    process.once('exit', () => writeSync(1, `${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped\n`))
  }

  #listSlowest() {
    say(`\nthe ${SLOWEST} slowest files`)
    const slowest = this.#times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
    for (const { file, seconds } of slowest) say(`${seconds.toFixed(0).padStart(6)} s  ${file}`)
  }

  #write() {
    mkdirSync(dirname(FAILURES), { recursive: true })
    const whole = this.#failures.map(failure => `${heading(failure)}\n${plain(failure.message)}\n${again(failure)}\n`)
    if (isSecond && whole.length > 0) whole.unshift('\nOn the second run, when alone:\n')
    writeFileSync(FAILURES, whole.join('\n'), { flag: isSecond ? 'a' : 'w' })
  }
}

function screen(failure) {
  const lines = plain(failure.message)
    .split('\n')
    .filter(line => !/^\s+at .*(node_modules|node:internal)/.test(line))
    .map(line => line.slice(0, 200))
  const rest = lines.length > LINES ? [`… ${lines.length - LINES} more lines`] : []
  return [heading(failure), ...[...lines.slice(0, LINES), ...rest].map(line => `    ${line}`), again(failure)].join(
    '\n',
  )
}

const heading = ({ file, title }) => `✗ ${file}\n  ${title ?? 'did not run'}`

function again({ file, title, seed }) {
  const name = title ? ` -t ${quoted(`^${title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)}` : ''
  // What takes turns repeats its part.
  const turn = file.includes('.deep.') ? `TEST_TURN=${process.env.TEST_TURN} ` : ''
  const tier = process.env.TEST_TIER === 'night' ? ' --night' : ''
  return `  again: ${turn}npx -y pnpm@10.34.9 test${tier} ${file} --seed=${seed}${name}`
}

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`
const plain = text => stripVTControlCharacters(text)
const say = line => process.stdout.write(`${line}\n`)
