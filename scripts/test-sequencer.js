import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sequencer from '@jest/test-sequencer'

const root = fileURLToPath(new URL('..', import.meta.url))
const times = join(root, 'node_modules/.cache/tests/times.json')

/** Estimated seconds of files that were never measured; the first matching pattern applies. */
const GUESSES = [
  [/packages\/e2e\/simulator\//, 300],
  [/packages\/e2e\/soak\//, 200],
  [/packages\/e2e\//, 60],
  [/^apps\//, 30],
  [/packages\/store/, 20],
]

/** Runs the slowest files first, so that no worker is left with a long file at the end, even without measurements. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const known = existsSync(times) ? JSON.parse(readFileSync(times, 'utf8')) : []
    const measured = new Map(known.map(({ file, seconds }) => [file, seconds]))
    const secondsOf = ({ path }) => {
      const file = relative(root, path)
      return measured.get(file) ?? GUESSES.find(([pattern]) => pattern.test(file))?.[1] ?? 2
    }
    return [...tests].sort((left, right) => secondsOf(right) - secondsOf(left))
  }
}
