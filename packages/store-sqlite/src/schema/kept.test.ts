import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dumpOf, tablesOf } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { checkSqliteStore, openSqliteStore, restoreSqliteStore } from '../index.js'
import { migrate, userVersion } from '../migrate.js'
import { fingerprintOf } from './fingerprint.js'
import { MIGRATIONS } from './migrations.js'
import { fillSample, readSample, SAMPLE_TIME } from './sample.fixture.js'

const NEWEST = MIGRATIONS.length
const SCHEMAS = MIGRATIONS.map((_, index) => index + 1)
const KEEP = 'KEEP_SCHEMA=1 npx -y pnpm@10.34.9 test packages/store-sqlite/src/schema/kept.test.ts'

const keptPath = (schema: number): string => join(import.meta.dirname, 'kept', `${schema}.sql`)

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-kept-'))
  path = join(folder, 'store.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

function withFile<Result>(work: (file: BetterSqlite3.Database) => Result, at = path): Result {
  const file = new BetterSqlite3(at)
  try {
    return work(file)
  } finally {
    file.close()
  }
}

const load = (schema: number, at = path): void =>
  withFile(file => void file.exec(readFileSync(keptPath(schema), 'utf8')), at)

const rowsOf = (file: BetterSqlite3.Database): Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> =>
  Object.fromEntries(
    tablesOf(file).map(table => [table, file.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[]]),
  )

/** The columns of `collection` that a migration renamed. */
const RENAMED: Readonly<Record<string, string>> = {
  asked: 'queriesRequested',
  served: 'queriesServed',
  askedAt: 'queryRequestedAt',
}
const withPresentNames = (row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [RENAMED[name] ?? name, value]))

const open = (at = path) => openSqliteStore(at, { clock: () => SAMPLE_TIME })

async function sampleIn(at: string): Promise<unknown> {
  const store = await open(at)
  return readSample(store).finally(() => store.close())
}

/** Fills a new file. */
async function fill(at: string): Promise<void> {
  const store = await open(at)
  await fillSample(store)
  await store.close()
}

if (process.env['KEEP_SCHEMA'] === '1' && !existsSync(keptPath(NEWEST)))
  test('the file of the newest schema is made', async () => {
    await fill(path)
    writeFileSync(
      keptPath(NEWEST),
      withFile(file => dumpOf(file)),
    )
  })

test('each migration ends in the schema of its fingerprint', () => {
  const found = withFile(file =>
    MIGRATIONS.map(({ sql }) => {
      file.exec(sql)
      return fingerprintOf(file)
    }),
  )
  // The schemas of released versions never change: append a migration instead of editing one.
  expect(found).toEqual(MIGRATIONS.map(({ fingerprint }) => fingerprint))
})

test('a file of each schema is kept', () => {
  const missing = SCHEMAS.filter(schema => !existsSync(keptPath(schema)))
  if (missing.length > 0) throw new Error(`There is no file of schema ${missing.join(', ')}. Make it: ${KEEP}`)
})

test('the kept file of the newest schema has rows in every table that the sample can fill', () => {
  load(NEWEST)
  const empty = withFile(file => Object.entries(rowsOf(file)).filter(([, rows]) => rows.length === 0))
  // What is dropped is swept at once.
  expect(empty.map(([table]) => table)).toEqual(['dropped', 'dropped_blob'])
})

describe.each(SCHEMAS)('the kept file of schema %i', schema => {
  beforeEach(() => load(schema))

  test('has the schema that was released', () => {
    expect(withFile(file => [userVersion(file), fingerprintOf(file)])).toEqual([
      schema,
      MIGRATIONS[schema - 1]?.fingerprint,
    ])
  })

  test('is migrated with every row', () => {
    const [before, after] = withFile(file => {
      const rows = rowsOf(file)
      migrate(file, path)
      return [rows, rowsOf(file)]
    })
    expect(after).toMatchObject({ ...before, collection: before['collection']?.map(withPresentNames) ?? [] })
    expect(withFile(fingerprintOf)).toBe(MIGRATIONS.at(-1)?.fingerprint)
  })

  test('is read and written by this version', async () => {
    await fill(join(folder, 'new.sqlite'))
    expect(await sampleIn(path)).toEqual(await sampleIn(join(folder, 'new.sqlite')))
    const store = await open()
    await store.collections.apply({ source: 'Note', partition: 'user:ada' }, { merge: { new: {} } })
    await store.close()
    expect(checkSqliteStore(path)).toMatchObject({ schema: NEWEST, objects: 3 })
  })

  test('is restored as a backup', async () => {
    expect(checkSqliteStore(path)).toMatchObject({ schema, objects: 2, undecided: 2, users: 1 })
    const restored = join(folder, 'restored.sqlite')
    await restoreSqliteStore(path, restored)
    expect(checkSqliteStore(restored)).toMatchObject({ schema: NEWEST, objects: 2, undecided: 2, users: 1 })
  })
})
