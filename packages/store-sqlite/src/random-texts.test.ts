import { expect, test } from '@jest/globals'
import { randomTexts } from './random-texts.js'

test('each text has 128 bits and is unique', () => {
  const next = randomTexts()
  const texts = Array.from({ length: 1000 }, next)
  expect(new Set(texts).size).toBe(1000)
  for (const text of texts) expect(Buffer.from(text, 'base64url')).toHaveLength(16)
})
