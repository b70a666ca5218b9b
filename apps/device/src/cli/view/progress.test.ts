import { expect, test } from '@jest/globals'
import { line, progressBar } from './progress.js'

test('shows share, count and rate', () => {
  expect(line({ source: 'City', received: 69_199, total: 138_398 }, 2)).toBe(
    'City  ████████████░░░░░░░░░░░░  50 %  69,199 of 138,398  34,600/s',
  )
})

test('an empty source is complete', () => {
  expect(line({ source: 'Visit', received: 0, total: 0 }, 1)).toContain('100 %')
})

test('draws nothing where the output is no terminal', () => {
  const drawn: string[] = []
  const terminal = {
    out: () => {},
    error: (text: string) => void drawn.push(text),
    interactive: false,
    colours: false,
    columns: 80,
    environment: {},
  }
  const bar = progressBar(terminal)
  bar.show({ source: 'City', received: 1, total: 2 })
  bar.end()
  expect(drawn).toEqual([])
})
