import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemoryStore, type StoreOptions } from '@godwit/store'
import { describeSameAnswers, describeStore } from '@godwit/store/conformance'
import { describe, expect, test } from '@jest/globals'
import { openSqliteStore } from './open-sqlite-store.js'

const runner = { describe, test, expect }

describe('in memory', () => {
  const open = async (options: StoreOptions) => ({ store: await openSqliteStore(':memory:', options) })
  describeStore({ ...runner, open })
  describeSameAnswers({ ...runner, open, reference: options => ({ store: openMemoryStore(options) }), runs: 300 })
})

describe('on a file', () => {
  const open = async (options: StoreOptions) => {
    const folder = mkdtempSync(join(tmpdir(), 'godwit-store-'))
    const reopen = () => openSqliteStore(join(folder, 'store.sqlite'), options)
    return { store: await reopen(), reopen, discard: async () => rmSync(folder, { recursive: true }) }
  }
  describeStore({ ...runner, open, durable: true, runs: 20 })
})
