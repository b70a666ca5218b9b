import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { seenValues } from './seen-values.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('small values are carried whole', () => {
  const was = { note: 'x'.repeat(254), list: [1, 2], done: false }
  expect(seenValues(was, new Map())).toEqual({ was })
})

test('large values are carried as the SHA-256 of their canonical text', () => {
  const note = 'é'.repeat(255)
  const lines = Array.from({ length: 50 }, (_, at) => ({ text: 'line', at }))
  const canonical = `[${lines.map(({ text, at }) => `{"at":${at},"text":"${text}"}`).join(',')}]`
  expect(seenValues({ note, lines, size: 1 }, new Map())).toEqual({
    was: { size: 1 },
    was_digests: { note: sha256(`"${note}"`), lines: sha256(canonical) },
  })
})

test('ids of owners are carried whole, since the server may replace them', () => {
  const was = { shop: 'i'.repeat(1000) }
  expect(seenValues(was, new Map([['shop', ['Shop']]]))).toEqual({ was })
})

test('inherited names are ordinary attributes', () => {
  const was = JSON.parse(`{ "__proto__": "${'p'.repeat(300)}", "constructor": "c" }`)
  const seen = seenValues(was, new Map())
  expect(Object.entries(seen.was ?? {})).toEqual([['constructor', 'c']])
  expect(Object.keys(seen.was_digests ?? {})).toEqual(['__proto__'])
})
