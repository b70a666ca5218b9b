import { afterAll, expect, test } from '@jest/globals'
import type { Drive, Statement } from '../platform/driver.js'
import { openSdkOn } from '../sdk/open-sdk.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

/** Returns a drive, and its statements that were prepared and not freed. */
async function counted(): Promise<{ drive: Drive; open: Set<Statement> }> {
  const drive = await driveOn('better-sqlite3', directories.make())
  const open = new Set<Statement>()
  return {
    open,
    drive: {
      ...drive,
      open(file) {
        const driver = drive.open(file)
        return {
          ...driver,
          prepare(sql) {
            const statement: Statement = { ...driver.prepare(sql), free: () => void open.delete(statement) }
            open.add(statement)
            return statement
          },
        }
      },
    },
  }
}

const Note = defineModel('Note', { attributes: { text: t.string().default('') }, indexes: { byText: ['text'] } })
const Older = defineModel('Note', { attributes: { text: t.string().default(''), old: t.integer().optional() } })

test('a statement used once is freed, and all of them when the device is closed', async () => {
  const { drive, open } = await counted()
  const older = openSdkOn(drive, { models: { Note: Older } })
  older.models.Note.create({ text: 'a', old: 1 })
  await older.close()
  expect(open.size).toBe(0)
  const sdk = openSdkOn(drive, { models: { Note } })
  const stop = sdk.sql.observe('SELECT text FROM Note', [], () => {})
  sdk.models.Note.create({ text: 'b' })
  const before = open.size
  for (let at = 0; at < 50; at++) {
    expect(sdk.sql.all(`SELECT count(*) + ${at} AS count FROM Note`)).toEqual([{ count: 2 + at }])
    expect(() => sdk.sql.all(`SELECT ${at} AS a FROM Nothing`)).toThrow()
  }
  expect(open.size).toBe(before)
  stop()
  await sdk.close()
  expect(open.size).toBe(0)
})
