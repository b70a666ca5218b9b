import { describe, expect, test } from '@jest/globals'
import { describePlantedFaults, describeSameAnswers, describeStore } from '../conformance/index.js'
import { openMemoryStore } from './memory-store.js'

const open = (options: Parameters<typeof openMemoryStore>[0]) => ({ store: openMemoryStore(options) })
const runner = { describe, test, expect, open }

describeStore(runner)
describePlantedFaults(runner)
describeSameAnswers({ ...runner, reference: open })
