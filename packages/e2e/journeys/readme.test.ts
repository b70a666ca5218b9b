import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { createSyncServer, defineSource, type Source } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterEach, expect, test } from '@jest/globals'
import { inRepository } from '../harness/process.js'
import { temporaryFolder } from '../harness/stores.js'

interface Visit {
  readonly note: string
}
type Crm = { visitsOf(user: string): Record<string, Visit>; addVisit(visit: Visit): { id: string } }

const folder = temporaryFolder()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  folder.remove()
})

/** Returns the first block of TypeScript in the README; `serve` starts the server that it uses. */
function linesOfReadme(): string {
  const [, block = ''] = /```ts\n(.*?)```/s.exec(readFileSync(inRepository('README.md'), 'utf8')) ?? []
  return stripTypeScriptTypes(block)
    .replace("'https://sync.example.com'", 'await serve(source)')
    .replace("'./ada'", JSON.stringify(join(folder.path, 'ada')))
}

/** Runs the lines with these names in scope, and returns the SDK that they open. */
async function run(names: Record<string, unknown>): Promise<{ close(): Promise<void> }> {
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  return await new AsyncFunction(...Object.keys(names), `${linesOfReadme()}\nreturn sdk`)(...Object.values(names))
}

async function serve(source: Source): Promise<string> {
  const server = createSyncServer({
    store: openMemoryStore(),
    sources: [source],
    admin: { login: 'admin', password: 'longest of all nights' },
    authenticate: async () => true,
  })
  const { url, close } = await server.listen({ port: 0 })
  ends.push(close)
  return url
}

test('the lines of the README show what the CRM has, and bring it what the app wrote', async () => {
  const visits = new Map<string, Visit>([['1', { note: 'Ask for the key' }]])
  const crm: Crm = {
    visitsOf: () => Object.fromEntries(visits),
    addVisit: visit => {
      visits.set(String(visits.size + 1), visit)
      return { id: String(visits.size) }
    },
  }

  let displayed: readonly Visit[] = []
  const bothDisplayed = Promise.withResolvers<void>()
  const show = (rows: readonly Visit[]): void => {
    displayed = rows
    if (rows.length === 2 && visits.size === 2) bothDisplayed.resolve()
  }
  const sdk = await run({ defineModel, t, openSdk, defineSource, serve, crm, show })
  ends.push(() => sdk.close())
  await bothDisplayed.promise

  expect(displayed.map(({ note }) => note)).toEqual(['Ask for the key', 'Bring the ladder'])
  expect(visits.get('2')).toMatchObject({ note: 'Bring the ladder' })
})
