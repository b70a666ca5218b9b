import { afterAll, expect, test } from '@jest/globals'
import { openSdkOn } from '../open-sdk.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'
import type { Drive } from './driver.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

const Note = defineModel('Note', { attributes: { text: t.string().default('') }, indexes: { byText: ['text'] } })

/** A drive that notes what is compiled and run on it. */
async function noted(): Promise<{ drive: Drive; texts: string[] }> {
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
  const { drive, texts } = await noted()
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

test('undecided changes are counted by an index without content', async () => {
  const { drive } = await noted()
  const sdk = openSdkOn(drive, { models: { Note } })
  const driver = drive.open('user.sqlite')
  const plan = driver.prepare('EXPLAIN QUERY PLAN SELECT count(*) FROM outbox').all()
  driver.close()
  await sdk.close()
  expect(String(plan[0]?.['detail'])).toMatch(/COVERING INDEX outbox_all/)
})
