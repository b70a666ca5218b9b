import type { JournalEntry } from '@godwit/store'
import { expect, test } from '@jest/globals'
import type { BaseEngine } from './base-engine.js'
import { QueuedWork } from './queued-work.js'

test('a store that goes away between two pages of the journal leaves no rejection unhandled', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const entries = Array.from({ length: 200 }, (_, sequence) => ({
    collection: { source: 'Visit', partition: `user:${sequence}` },
    sequence,
  }))
  let pages = 0
  const undecided = async () => {
    if (pages++ > 0) throw new Error('the store is away')
    return entries as unknown as readonly JournalEntry[]
  }
  const engine = { store: { journal: { undecided } }, stopping: new AbortController().signal }
  let worked = 0
  const work = new QueuedWork(engine as unknown as BaseEngine, async () => {
    worked++
    await new Promise(resolve => setTimeout(resolve))
    throw new Error('the store is away')
  })
  await expect(work.run()).rejects.toThrow('the store is away')
  while (worked < entries.length) await new Promise(resolve => setTimeout(resolve))
  await new Promise(resolve => setTimeout(resolve, 10))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
