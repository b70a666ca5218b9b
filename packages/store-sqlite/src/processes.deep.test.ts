import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Checksum } from '@godwit/protocol'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { backUpSqliteStore } from './backup/back-up.js'
import { openSqliteStore } from './open-sqlite-store.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-process-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sqlite = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'))

/** Bundles and runs a program of testing/ on the store in `folder`. */
async function run(program: string, ...parameters: readonly string[]) {
  const outfile = join(folder, `${program}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL(`testing/${program}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    alias: { 'better-sqlite3': join(sqlite, 'lib', 'index.js') },
    external: [join(sqlite, '*')],
  })
  // A small young generation, so that garbage does not count as memory of the store.
  const command = ['--max-semi-space-size=2', outfile, join(folder, 'store.sqlite'), ...parameters]
  return spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('a killed process loses no acknowledged write', async () => {
  const child = await run('write-until-killed')
  let acknowledged = 0
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line)
    if (acknowledged === 200) child.kill('SIGKILL')
  }
  expect(acknowledged).toBeGreaterThanOrEqual(200)
  const store = await openSqliteStore(join(folder, 'store.sqlite'))
  const collection = { source: 'Visit', partition: 'ada' }
  const numbers = Array.from({ length: acknowledged }, (_, index) => index + 1)
  const ids = numbers.flatMap(number => [`object ${number}`, `visit ${number}`])
  expect(Object.keys(await store.collections.get(collection, ids))).toEqual(ids)
  const { outcomes } = await store.journal.outcomes(collection, 'one', { after: 0, limit: acknowledged })
  expect(outcomes.map(({ number, status }) => [number, status])).toEqual(numbers.map(number => [number, 'applied']))
  await store.close()
})

test('a backup is consistent, though another process writes constantly', async () => {
  const collection = { source: 'Visit', partition: 'ada' }
  const child = await run('write-until-killed')
  const sizes: number[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (Number(line) % 100 !== 0 || sizes.length === 3) continue
    const copy = join(folder, `${line}.sqlite`)
    sizes.push((await backUpSqliteStore(join(folder, 'store.sqlite'), copy)).objects)
    const store = await openSqliteStore(copy)
    const { rows } = await store.collections.list(collection, { limit: 1_000_000 })
    const sum = new Checksum()
    for (const { id, version } of rows) sum.add(id, version)
    const head = await store.collections.head(collection)
    expect(head).toMatchObject({ count: sizes.at(-1), checksum: sum.toString() })
    await store.close()
    if (sizes.length === 3) child.kill('SIGKILL')
  }
  expect(sizes[0]).toBeGreaterThanOrEqual(200)
  expect([...sizes].sort((a, b) => a - b)).toEqual(sizes)
})

test('a query of any size uses bounded memory, and an unchanged one writes nothing', async () => {
  const child = await run('replace-many', '138398')
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  const { changed, grown } = JSON.parse(output) as { readonly changed: readonly number[]; readonly grown: number }
  expect(changed).toEqual([138_398, 138_398, 0])
  expect(grown).toBeLessThan(120)
}, 120_000)
