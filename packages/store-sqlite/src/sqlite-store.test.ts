import { openMemoryStore } from '@godwit/store'
import { describeSameAnswers, describeStore } from '@godwit/store/conformance'
import { describe, expect, test } from '@jest/globals'
import { inMemory, onFile } from './sqlite-store.fixture.js'

const runner = { describe, test, expect }

describe('in memory', () => {
  describeStore({ ...runner, open: inMemory, runs: 20 })
  describeSameAnswers({
    ...runner,
    open: inMemory,
    reference: options => ({ store: openMemoryStore(options) }),
    runs: 60,
  })
})

describe('on a file', () => {
  describeStore({ ...runner, open: onFile, durable: true, runs: 5 })
})
