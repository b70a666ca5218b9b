import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sequencer from '@jest/test-sequencer'

const root = fileURLToPath(new URL('..', import.meta.url))
const times = join(root, 'node_modules/.cache/tests/times.json')

/** Estimated seconds of files that were never measured; the first matching pattern applies. */
const GUESSES = [
  [/packages\/e2e\/simulator\/mutants\//, 200],
  [/packages\/e2e\/simulator\//, 100],
  [/packages\/e2e\/soak\//, 200],
  [/packages\/e2e\/browser\/(engine-suites|field-visits)/, 240],
  [/packages\/e2e\/(browser|console)\//, 90],
  [/packages\/e2e\//, 60],
  [/^apps\//, 30],
  [/packages\/store/, 20],
]

/** Files whose tests run in browsers. */
const IN_BROWSERS = /packages\/e2e\/(browser|console)\//

/**
 * Runs the slowest files first, so that no worker is left with a long file at the end, even without measurements. Files of browsers are spread over
 * the whole run: several browsers at once slow each other down far more than other programs do.
 */
export default class SpreadLongestFirst extends Sequencer {
  sort(tests) {
    const known = existsSync(times) ? JSON.parse(readFileSync(times, 'utf8')) : []
    const measured = new Map(known.map(({ file, seconds }) => [file, seconds]))
    const files = tests.map(test => {
      const file = relative(root, test.path)
      const seconds = measured.get(file) ?? GUESSES.find(([pattern]) => pattern.test(file))?.[1] ?? 2
      return { test, seconds, isInBrowser: IN_BROWSERS.test(file) }
    })
    const { in: inBrowsers = [], out = [] } = Object.groupBy(files, ({ isInBrowser }) => (isInBrowser ? 'in' : 'out'))
    return [...placed(inBrowsers), ...placed(out)].sort((a, b) => a.at - b.at).map(({ test }) => test)
  }
}

/** Places files on a scale from 0 to 1, the slowest first, by the seconds of those before them. */
function placed(files) {
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0)
  let before = 0
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ test, seconds }) => {
      const at = before / all
      before += seconds
      return { test, at }
    })
}
