import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { findProgram } from './find-program.js'

const EDITOR = { names: ['editor-preferred', 'editor-other'], debian: 'editor-preferred' }

let folder: string
const { PATH, SYNC_TEST_INSTALL } = process.env
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-program-'))
  // Without apt-get, so that nothing is installed.
  process.env['PATH'] = ['first', 'second'].map(name => join(folder, name)).join(delimiter)
})
afterEach(() => {
  process.env['PATH'] = PATH
  if (SYNC_TEST_INSTALL === undefined) delete process.env['SYNC_TEST_INSTALL']
  else process.env['SYNC_TEST_INSTALL'] = SYNC_TEST_INSTALL
  rmSync(folder, { recursive: true })
})

function addProgram(place: string, name: string): string {
  const path = join(folder, place, name)
  mkdirSync(join(folder, place), { recursive: true })
  writeFileSync(path, '', { mode: 0o755 })
  return path
}

test('the preferred program is found, wherever it is on the PATH', () => {
  addProgram('first', 'editor-other')
  const preferred = addProgram('second', 'editor-preferred')
  expect(findProgram(EDITOR)).toBe(preferred)
})

test('another one will do', () => {
  const other = addProgram('second', 'editor-other')
  expect(findProgram(EDITOR)).toBe(other)
})

test('another one will do where the preferred one cannot be installed', () => {
  process.env['SYNC_TEST_INSTALL'] = '1'
  addProgram('first', 'apt-get')
  const other = addProgram('second', 'editor-other')
  expect(findProgram(EDITOR)).toBe(other)
})

test('a folder beside those of the PATH is looked into', () => {
  const preferred = addProgram('third', 'editor-preferred')
  expect(findProgram({ ...EDITOR, folders: () => [join(folder, 'third')] })).toBe(preferred)
})
