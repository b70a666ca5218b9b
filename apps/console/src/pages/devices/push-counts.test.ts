import { expect, test } from '@jest/globals'
import { pushCounts } from './push-counts.js'

test.each([
  [{ sent: 0, refused: 0, gone: 0, opened: 0 }, '0 sent'],
  [{ sent: 3, refused: 0, gone: 0, opened: 1 }, '3 sent, 1 opened by a sync'],
  [{ sent: 0, refused: 2, gone: 1, opened: 0 }, '0 sent, 2 refused, address gone once'],
  [{ sent: 1, refused: 0, gone: 2, opened: 0 }, '1 sent, 0 opened by a sync, address gone 2 times'],
])('%j reads %s', (counts, text) => {
  expect(pushCounts(counts)).toBe(text)
})
