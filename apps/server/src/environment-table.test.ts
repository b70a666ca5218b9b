import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { overview } from './commands/help.js'
import { readSettings } from './config.js'
import type { Environment } from './environment.js'

/** Every variable that is read with the settings. */
function variables(): readonly string[] {
  const asked = new Set<string>()
  readSettings(
    new Proxy<Environment>(
      {},
      {
        get(_none, name) {
          asked.add(String(name))
          return undefined
        },
      },
    ),
  )
  return [...asked].sort()
}

const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

test.each(['docs/operating/configure.md', 'apps/server/README.md'])(
  'the table in %s has every variable, and no other',
  page => {
    const [, table = ''] = readFileSync(inRepository(page), 'utf8').split(/^## Environment$/m)
    const [section = ''] = table.split(/^## /m)
    const rows = [...section.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name)
    expect(rows.toSorted()).toEqual(variables())
  },
)

test('help names every variable', () => {
  const named = overview({}).match(/\b[A-Z]+(_[A-Z]+)*\b/g) ?? []
  expect(named).toEqual(expect.arrayContaining([...variables()]))
})
