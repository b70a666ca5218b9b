import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dumpOf, tablesOf } from '@godwit/testing'
import { afterAll, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { openSdkOn } from '../sdk/open-sdk.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'
import { LAYOUT } from './check-layout.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

const KEPT = join(import.meta.dirname, 'kept', `${LAYOUT}`)
const FILES = ['device', 'user', 'app', 'local']
const KEEP = 'KEEP_LAYOUT=1 npx -y pnpm@10.34.9 test packages/model/src/database/kept-layout.test.ts'

const Note = defineModel('Note', { sync: 'incremental', attributes: { text: t.string() } })

const open = async (directory: string) =>
  openSdkOn(await driveOn('better-sqlite3', directory), {
    server: 'http://sync.test',
    eventStream: false,
    models: { Note },
  })

/** Creates a device with an unsent note. */
async function makeDevice(): Promise<string> {
  const directory = directories.make()
  const sdk = await open(directory)
  sdk.models.Note.create({ text: "it's kept" })
  await sdk.close()
  return directory
}

function withFile<Result>(path: string, work: (file: BetterSqlite3.Database) => Result): Result {
  const file = new BetterSqlite3(path)
  try {
    return work(file)
  } finally {
    file.close()
  }
}

/** Returns the columns of each table of each file. */
const columnsOf = (directory: string) =>
  FILES.map(name =>
    withFile(join(directory, `${name}.sqlite`), file =>
      Object.fromEntries(tablesOf(file).map(table => [table, file.pragma(`table_info("${table}")`)])),
    ),
  )

if (process.env['KEEP_LAYOUT'] === '1' && !existsSync(KEPT))
  test('the files of the present layout are made', async () => {
    const directory = await makeDevice()
    mkdirSync(KEPT, { recursive: true })
    for (const name of FILES)
      writeFileSync(join(KEPT, `${name}.sql`), withFile(join(directory, `${name}.sqlite`), dumpOf))
  })

test('a kept device of the present layout has its data, and the tables of a new device', async () => {
  if (!existsSync(KEPT)) throw new Error(`There are no files of layout ${LAYOUT}. Make them: ${KEEP}`)
  const directory = directories.make()
  for (const name of readdirSync(KEPT))
    withFile(
      join(directory, name.replace('.sql', '.sqlite')),
      file => void file.exec(readFileSync(join(KEPT, name), 'utf8')),
    )
  const sdk = await open(directory)
  expect(sdk.models.Note.find().map(({ text }) => text)).toEqual(["it's kept"])
  expect(sdk.status().waiting).toBe(1)
  await sdk.close()
  // Missing tables are made at each opening, other columns are not: they need a new layout and a conversion.
  expect(columnsOf(directory)).toEqual(columnsOf(await makeDevice()))
})
