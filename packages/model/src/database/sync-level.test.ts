import { afterAll, expect, test } from '@jest/globals'
import type { Drive } from '../platform/driver.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { DeviceDatabase } from './database.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

/** Returns a database, the levels that it set, and the level of each commit. */
async function watched(): Promise<{ database: DeviceDatabase; set: string[]; commits: (string | undefined)[] }> {
  const drive = await driveOn('better-sqlite3', directories.make())
  const set: string[] = []
  const commits: (string | undefined)[] = []
  const open: Drive['open'] = file => {
    const driver = drive.open(file)
    return {
      ...driver,
      exec(sql) {
        const level = /"local"\.synchronous = (\w+)/.exec(sql)?.[1]
        if (level) set.push(level)
        driver.exec(sql)
      },
      prepare(sql) {
        const statement = driver.prepare(sql)
        if (sql !== 'COMMIT') return statement
        const run = (): number => {
          commits.push(set.at(-1))
          return statement.run()
        }
        return { ...statement, run }
      },
    }
  }
  const database = new DeviceDatabase({ ...drive, open })
  return { database, set, commits }
}

test('durable transactions in a row set the level of the files once', async () => {
  const { database, set, commits } = await watched()
  for (let left = 3; left > 0; left--) database.durable(() => {})
  expect(commits).toEqual(['FULL', 'FULL', 'FULL'])
  expect(set).toEqual(['NORMAL', 'FULL'])
  database.close()
})

test('a transaction after a durable one commits at the usual level', async () => {
  const { database, commits } = await watched()
  database.durable(() => database.transaction(() => {}))
  database.write(() => {})
  database.transaction(() => database.durable(() => {}))
  expect(() =>
    database.durable(() => {
      throw new Error('nothing is stored')
    }),
  ).toThrow('nothing is stored')
  database.transaction(() => {})
  expect(commits).toEqual(['FULL', 'NORMAL', 'NORMAL', 'NORMAL'])
  database.close()
})
