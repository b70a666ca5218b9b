import { expect, test } from '@jest/globals'
import { table } from './table.js'

const plain = { colours: false, interactive: false, columns: 80 }

test('aligns text to the left and numbers to the right', () => {
  const rows = [
    { name: 'Paris', population: 2138551 },
    { name: 'Lyon', population: 472317 },
  ]
  expect(table(rows, ['name', 'population'], plain)).toBe('name   population\nParis     2138551\nLyon       472317\n')
})

test('keeps every row on one line and control characters off the terminal', () => {
  expect(table([{ note: 'a\nb\u001b[2J' }], ['note'], plain)).toBe('note\na·b·[2J\n')
})

test('cuts lines at the edge of a terminal', () => {
  expect(table([{ note: 'abcdefgh' }], ['note'], { colours: false, interactive: true, columns: 5 })).toBe(
    'note\nabcd…\n',
  )
})

test('formats any number of rows', () => {
  const rows = Array.from({ length: 200_000 }, (_, number) => ({ number }))
  expect(table(rows, ['number'], plain).length).toBe(200_001 * 7)
})
