import { SyncError } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import { retryUntilReady } from './retry-until-ready.js'

const away = (retryable = true) => new SyncError('store_unavailable', 'The store is away.', { retryable })

test('a start waits for a store that is unavailable for a moment', async () => {
  const [failures, told]: [Error[], Error[]] = [[away(), away()], []]
  const work = async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'started'
  }
  expect(await retryUntilReady(work, error => told.push(error), 1)).toBe('started')
  expect(told).toHaveLength(2)
})

test.each([
  ['goes on being away', away(), 10],
  ['is of no use', away(false), 1],
  ['is not what is wrong', new Error('A defect.'), 1],
])('a start is given up when the store %s', async (_, failure, attempts) => {
  let count = 0
  const work = async () => {
    count++
    throw failure
  }
  await expect(retryUntilReady(work, () => undefined, 1)).rejects.toBe(failure)
  expect(count).toBe(attempts)
})
