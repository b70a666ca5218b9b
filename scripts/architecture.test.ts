import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { mustRun } from './run.js'
import { root } from './workspace.js'

/** `model/typed/t.ts` is short for `packages/model/src/typed/t.ts`, and `typed/t.ts` for any file that ends so. */
const isNamed = (file: string, name: string): boolean =>
  `/${file}`.endsWith(`/${name}`) || file === `packages/${name.replace('/', '/src/')}`

/** Names of files with a folder; a pattern, a capital placeholder or the address of a request is none. */
const FILE = /`(?:node )?([\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|m?js|cjs|md|json|sql))(?: [^`]*)?`/g

test.each(['ARCHITECTURE.md', 'AGENTS.md'])('each file that %s names exists', async document => {
  const files = (await mustRun('git', ['ls-files', '--cached', '--others', '--exclude-standard'])).split('\n')
  const text = readFileSync(join(root, document), 'utf8')
  const names = new Set([...text.matchAll(FILE)].map(([, name = '']) => name))
  expect(names.size).toBeGreaterThan(1)
  expect([...names].filter(name => !files.some(file => isNamed(file, name)))).toEqual([])
})
