import { afterAll, describe, expect, test } from '@jest/globals'
import { DRIVERS, driveOn, temporaryDirectories } from '../testing/open-device.js'
import { betterSqlite3Drive, loadMultipleCiphers } from './better-sqlite3.js'
import { describeDriver } from './suite/index.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

describe.each(DRIVERS)('the driver %s', name => {
  describeDriver({
    describe,
    test,
    expect,
    async open() {
      const directory = directories.make()
      return { drive: await driveOn(name, directory), other: () => driveOn(name, directory) }
    },
  })
})

describe('the driver that encrypts', () => {
  describeDriver({
    describe,
    test,
    expect,
    async open() {
      const directory = directories.make()
      const library = await loadMultipleCiphers()
      if (!library) throw new Error('expected better-sqlite3-multiple-ciphers to be installed for tests')
      const open = () => betterSqlite3Drive(library, directory, 'a key of tests')
      return { drive: open(), other: open }
    },
  })
})
