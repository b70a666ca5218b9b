import { afterAll, expect, test } from '@jest/globals'
import type { Drive } from '../platform/driver.js'
import { openSdkOn } from '../sdk/open-sdk.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

const Note = defineModel('Note', { attributes: { text: t.string().default('') }, indexes: { byText: ['text'] } })

const Sent = defineModel('Note', { sync: 'incremental', attributes: { text: t.string() } })

/** Returns a drive that records the SQL compiled and run on it. */
async function recorded(): Promise<{ drive: Drive; texts: string[] }> {
  const drive = await driveOn('better-sqlite3', directories.make())
  const texts: string[] = []
  const note = <T>(sql: string, run: () => T): T => {
    texts.push(sql)
    return run()
  }
  return {
    texts,
    drive: {
      ...drive,
      open(file) {
        const driver = drive.open(file)
        return {
          ...driver,
          prepare: sql => note(sql, () => driver.prepare(sql)),
          exec: sql => note(sql, () => driver.exec(sql)),
        }
      },
    },
  }
}

test('a device that is opened again makes no table and compiles only what it runs', async () => {
  const { drive, texts } = await recorded()
  const open = () => openSdkOn(drive, { models: { Note } })
  const first = open()
  first.models.Note.create({ text: 'kept' })
  await first.close()
  texts.length = 0
  const again = open()
  const compiled = [...texts]
  expect(again.models.Note.find().map(({ text }) => text)).toEqual(['kept'])
  await again.close()
  expect(compiled.filter(sql => /CREATE|INSERT|UPDATE|DELETE/.test(sql))).toEqual([])
  expect(compiled.length).toBeLessThan(70)
})

test('undecided changes are counted without reading all of them, also those of a device from before', async () => {
  const { drive, texts } = await recorded()
  const open = () => openSdkOn(drive, { server: 'http://sync.test', eventStream: false, models: { Note: Sent } })
  const first = open()
  first.models.Note.createMany(Array.from({ length: 1500 }, () => ({ text: 'many' })))
  first.models.Note.create({ text: 'one' })
  await first.close()
  const driver = drive.open('user.sqlite')
  // The layout of an earlier version, in which an index counted the entries.
  driver.exec(`UPDATE entry_count SET through = 0, entries = 0; DROP TRIGGER outbox_removed; PRAGMA application_id = 1;
    CREATE INDEX outbox_all ON outbox (hidden)`)
  const again = open()
  expect(again.status().waiting).toBe(1501)
  again.models.Note.create({ text: 'another' })
  expect(again.status().waiting).toBe(1502)
  const counting = texts.find(sql => sql.startsWith('SELECT') && sql.includes('"user".entry_count'))
  const count = driver.prepare('SELECT count(*) AS behind FROM outbox, entry_count WHERE entry > through').get()
  const indexes = driver.prepare("SELECT name FROM sqlite_master WHERE name = 'outbox_all'").all()
  const plan = driver.prepare(`EXPLAIN QUERY PLAN ${counting?.replaceAll('"user".', '')}`).all()
  driver.close()
  await again.close()
  expect({ ...count, indexes }).toEqual({ behind: 0, indexes: [] })
  expect(plan.map(({ detail }) => detail)).toContain('SEARCH outbox USING INTEGER PRIMARY KEY (rowid>?)')
})
