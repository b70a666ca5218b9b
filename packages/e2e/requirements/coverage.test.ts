import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { citationsIn } from './citations.js'
import { countsPerDocument } from './counts.js'
import { manifest } from './manifest.js'
import { problemsOf } from './problems.js'
import { testFilesOf } from './test-files.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const repository = join(here, '../../..')

test('tests cite every requirement that the manifest marks as held', () => {
  const citations = testFilesOf(repository).flatMap(file =>
    citationsIn(readFileSync(file, 'utf8'), relative(repository, file)),
  )
  process.stdout.write(`${countsPerDocument(manifest)}\n`)
  expect(problemsOf(manifest, citations)).toEqual([])
})

test.each(manifest)('the manifest has every section file of $name, under its prefix', ({ name, sections }) => {
  const document = name.replace('-api', '')
  const prefixes = readdirSync(join(here, name)).map(file => `${document}.${file.replace(/\.ts$/, '')}`)
  expect(sections.map(({ prefix }) => prefix).sort()).toEqual(prefixes.sort())
})
