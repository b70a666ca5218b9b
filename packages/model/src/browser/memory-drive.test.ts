import { describe, expect, test } from '@jest/globals'
import { describeDriver } from '../drivers/suite/index.js'
import { memoryDrive } from './memory-drive.js'
import { memoryFiles } from './memory-files.js'
import { loadSqlite3 } from './sqlite3.js'

const loaded = loadSqlite3()

describe('the driver of SQLite in WebAssembly, in memory', () => {
  describeDriver({
    describe,
    test,
    expect,
    open: async () => ({ drive: memoryDrive(await loaded, memoryFiles()) }),
    isDurable: false,
  })
})
