/** Fails unless every test file is run by exactly one of `pnpm test` and `pnpm test:deep`. */
import { join, relative } from 'node:path'
import { mustRun } from './run.ts'
import { root } from './workspace.ts'

const lines = (text: string): readonly string[] => text.split('\n').filter(line => line !== '')

async function listed(...words: readonly string[]): Promise<readonly string[]> {
  const output = await mustRun('node', ['scripts/test.ts', ...words, '--listTests'])
  return lines(output).map(path => relative(root, path))
}

/** Returns the files that look like tests, in any folder and with any extension. */
async function testFiles(): Promise<readonly string[]> {
  const files = lines(await mustRun('git', ['ls-files', '--cached', '--others', '--exclude-standard']))
  return files.filter(file => /\.(test|spec)\.[cm]?[jt]sx?$/.test(file) && !file.startsWith(join('docs', '')))
}

const [newcomers, deep, all] = await Promise.all([listed(), listed('--deep'), testFiles()])
const problems = all.flatMap(file => {
  const lists = [newcomers, deep].filter(list => list.includes(file)).length
  return lists === 1 ? [] : [`${file} is run by ${lists === 0 ? 'neither' : 'both'} of test and test:deep`]
})
if (problems.length > 0) throw new Error(problems.join('\n'))
process.stdout.write(`${newcomers.length} files in test, ${deep.length} in test:deep\n`)
