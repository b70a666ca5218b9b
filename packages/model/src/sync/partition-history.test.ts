import { afterEach, expect, test } from '@jest/globals'
import { temporaryDirectories } from '../testing/open-device.js'
import { PartitionHistory } from './partition-history.fixture.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

test('after any history of changes, moves, access and failures, a device shows what its partitions have', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const history = new PartitionHistory(seed, directories.make())
    try {
      await history.run(30)
    } catch (cause) {
      throw new Error(`seed ${seed}: ${history.log.join(' | ')}`, { cause })
    }
  }
  expect.hasAssertions()
}, 60_000)
