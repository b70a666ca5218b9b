import { mkdirSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, 'node_modules/.cache/tests')
/** Durations of the last run's files, for `pnpm test:slowest`. */
const TIMES = join(cache, 'times.json')
const FAILURES = join(cache, 'failures.txt')

/** Maximum lines printed of one failure, so that it fits a screen; a file has the rest. */
const LINES = 24
/** Number of failures printed in full; the others are listed by name. */
const SHOWN = 3

/** A jest reporter: prints a line per file, and at the end each failure with the command that repeats it. */
export default class TestReporter {
  #times = []
  #failures = []
  #started = Date.now()

  onTestResult({ path }, { testResults, testExecError, perfStats, numPassingTests, skipped }) {
    const file = relative(root, path)
    const seconds = (perfStats.end - perfStats.start) / 1000
    const failed = testResults.filter(({ status }) => status === 'failed')
    if (!skipped) this.#times.push({ file, seconds })
    for (const { fullName, failureMessages } of failed)
      this.#failures.push({ file, title: fullName, message: failureMessages.join('\n') })
    const broken = testExecError && failed.length === 0
    if (broken) this.#failures.push({ file, message: testExecError.stack ?? testExecError.message })
    const mark = failed.length > 0 || broken ? '✗' : '✓'
    say(`${mark} ${seconds.toFixed(1).padStart(6)} s ${String(numPassingTests).padStart(4)}  ${file}`)
  }

  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = results
    this.#write()
    for (const failure of this.#failures.slice(0, SHOWN)) say(`\n${screen(failure)}`)
    for (const { file, title } of this.#failures.slice(SHOWN)) say(`✗ ${file}: ${title ?? 'did not run'}`)
    if (this.#failures.length > 0) say(`\neverything that failed, whole: ${relative(root, FAILURES)}`)
    const failed = numFailedTests + numRuntimeErrorTestSuites
    const seconds = ((Date.now() - this.#started) / 1000).toFixed(0)
    say(`\n${this.#times.length} files in ${seconds} s`)
    process.once('exit', () => writeSync(1, `${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped\n`))
  }

  #write() {
    mkdirSync(dirname(TIMES), { recursive: true })
    writeFileSync(TIMES, JSON.stringify(this.#times))
    const whole = this.#failures.map(failure => `${heading(failure)}\n${plain(failure.message)}\n${again(failure)}\n`)
    writeFileSync(FAILURES, whole.join('\n'))
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

function again({ file, title }) {
  const name = title ? ` -t ${quoted(`^${title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)}` : ''
  return `  again: PROPERTY_SEED=${process.env.PROPERTY_SEED} npx -y pnpm@10.34.9 test ${file}${name}`
}

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`
const plain = text => stripVTControlCharacters(text)
const say = line => process.stdout.write(`${line}\n`)
