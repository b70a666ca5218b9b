import { expect, test } from '@jest/globals'
import { keepsFiles } from './opfs.js'

test('a platform that knows no files of an origin keeps none', async () => {
  expect('FileSystemFileHandle' in globalThis).toBe(false)
  expect(await keepsFiles()).toBe(false)
})
