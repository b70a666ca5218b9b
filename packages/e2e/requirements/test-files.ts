import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The test files of every package and app. The manifest's own tests speak about citations and are left out. */
export function testFilesOf(repository: string): readonly string[] {
  return ['packages', 'apps']
    .map(folder => join(repository, folder))
    .filter(folder => existsSync(folder))
    .flatMap(testFilesIn)
    .filter(file => !file.startsWith(join(repository, 'packages/e2e/requirements')))
}

function testFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isOurs(entry.name) ? testFilesIn(path) : []
    return /\.test\.tsx?$/.test(entry.name) ? [path] : []
  })
}

const isOurs = (folder: string) => folder !== 'node_modules' && folder !== 'dist' && !folder.startsWith('.')
