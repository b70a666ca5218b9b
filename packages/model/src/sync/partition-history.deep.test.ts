import { afterEach, expect, test } from '@jest/globals'
import { temporaryDirectories } from '../testing/open-device.js'
import { PartitionHistory } from './partition-history.fixture.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

test('after any of many histories, a device shows what its partitions have', async () => {
  for (let seed = 1000; seed < 1060; seed++) {
    const history = new PartitionHistory(seed, directories.make())
    try {
      await history.run(20 + (seed % 5) * 15)
    } catch (cause) {
      throw new Error(`seed ${seed}: ${history.log.join(' | ')}`, { cause })
    }
  }
  expect.hasAssertions()
}, 300_000)
