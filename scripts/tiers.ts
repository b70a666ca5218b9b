/** Fails unless jest runs every file that looks like a test, in exactly one tier. */
import { execFileSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { root } from './workspace.ts'

const lines = (text: string): readonly string[] => text.split('\n').filter(line => line !== '')

/** Returns the problems of a folder with the configuration of jest, which is a repository. */
export function tierProblems(folder: string): readonly string[] {
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

if (import.meta.main) {
  const problems = tierProblems(root)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
