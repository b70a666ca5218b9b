import { describe, expect, test } from '@jest/globals'
import { describeDriver } from '../drivers/suite/index.js'
import { loadSqliteInNode } from '../testing/load-sqlite-in-node.js'
import { memoryDrive } from './memory-drive.js'
import { memoryFiles } from './memory-files.js'

const loaded = loadSqliteInNode()

describe('the driver of SQLite in WebAssembly, in memory', () => {
  describeDriver({
    describe,
    test,
    expect,
    open: async () => ({ drive: memoryDrive(await loaded, memoryFiles()) }),
    isDurable: false,
  })
})
