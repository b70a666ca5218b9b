import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './workspace.js'

interface TestFile {
  readonly path: string
}

const { default: Sequencer } = (await import(join(root, 'scripts/test-sequencer.js'))) as {
  readonly default: { readonly prototype: { sort(tests: readonly TestFile[]): readonly TestFile[] } }
}

/** Paths of files that were never measured. */
const pathsIn = (folder: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => join(root, folder, `never-measured-${n}.test.ts`))

const sorted = (paths: readonly string[]): readonly string[] =>
  Sequencer.prototype.sort(paths.map(path => ({ path }))).map(({ path }) => path)

test('files of browsers are spread over a run', () => {
  const paths = sorted([...pathsIn('packages/e2e/browser', 6), ...pathsIn('packages/e2e/journeys', 18)])
  const places = paths.flatMap((path, at) => (path.includes('/browser/') ? [at] : []))
  expect(places).toHaveLength(6)
  expect(places.slice(1).map((place, at) => place - (places[at] ?? 0))).toEqual([4, 4, 4, 4, 4])
})

test('of other files, the slowest are first', () => {
  const slow = pathsIn('packages/e2e/soak', 2)
  const fast = pathsIn('packages/model/src', 5)
  expect(sorted([...fast, ...slow]).slice(0, 2)).toEqual(slow)
})
