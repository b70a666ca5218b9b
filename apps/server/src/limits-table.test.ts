import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DEFAULT_LIMITS } from '@godwit/server'
import { expect, test } from '@jest/globals'

test('the table of limits has every one with its default, and no other', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/operating/limits.md', import.meta.url)), 'utf8')
  const [, after = ''] = page.split(/^## All limits$/m)
  const [section = ''] = after.split(/^##/m)
  const rows = [...section.matchAll(/^\| `(\w+)` \| `(\w+)` \|/gm)].map(([, name = '', value = '']) => [name, value])
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(DEFAULT_LIMITS).map(([name, value]) => [name, String(value)])),
  )
})
