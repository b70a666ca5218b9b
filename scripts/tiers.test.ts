import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root } from './workspace.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'godwit-tiers-')))
afterAll(() => rmSync(folder, { recursive: true }))
beforeAll(() => {
  for (const name of ['packages', 'apps', 'site']) mkdirSync(join(folder, name))
  for (const name of ['jest.config.js', 'package.json', 'scripts'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync('git', ['init', '-q'], { cwd: folder })
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
})

const plant = (path: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), '')
}

test('a test file that no tier runs is named, whatever its folder, ending or mark', () => {
  for (const path of ['packages/a/src/fast.test.ts', 'apps/b/slow.deep.test.ts', 'packages/a/long.night.test.ts'])
    plant(path)
  expect(tierProblems(folder)).toEqual([])

  const strays = [
    'packages/a/src/page.test.tsx',
    'packages/a/src/page.spec.ts',
    'tools/page.test.ts',
    'apps/b/page.test.mjs',
  ]
  for (const path of strays) plant(path)
  expect(tierProblems(folder)).toEqual(strays.toSorted().map(file => `${file}: expected one tier that runs it, got 0`))
})

test('one tier runs each test file of this repository', () => expect(tierProblems(root)).toEqual([]))

const lines = (text: string): readonly string[] => text.split('\n').filter(line => line !== '')

/** Returns the problems of a folder with the configuration of jest, which is a repository. */
function tierProblems(folder: string): readonly string[] {
  const run = (command: string, ...words: readonly string[]) =>
    lines(execFileSync(command, words, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }))
  const listed = run(process.execPath, join(root, 'node_modules/jest/bin/jest.js'), '--listTests')
  const files = run('git', 'ls-files', '--cached', '--others', '--exclude-standard')
  const runs = new Map<string, number>()
  for (const file of listed.map(path => relative(folder, path))) runs.set(file, (runs.get(file) ?? 0) + 1)
  return files
    .filter(file => /\.(test|spec)\.[cm]?[jt]sx?$/.test(file) && !file.startsWith('docs/'))
    .filter(file => runs.get(file) !== 1)
    .map(file => `${file}: expected one tier that runs it, got ${runs.get(file) ?? 0}`)
}
