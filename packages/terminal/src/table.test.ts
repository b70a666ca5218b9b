import { expect, test } from '@jest/globals'
import { table } from './table.js'

test('aligns text to the left and numbers to the right', () => {
  const rows = [
    { name: 'Paris', population: 2138551 },
    { name: 'Lyon', population: 472317 },
  ]
  expect(table(rows, ['name', 'population'])).toBe('name   population\nParis     2138551\nLyon       472317\n')
})

test('keeps every row on one line and control characters off the terminal', () => {
  expect(table([{ note: 'a\nb\u001b[2J' }], ['note'])).toBe('note\na·b·[2J\n')
})

test('cuts lines that are longer than the width', () => {
  expect(table([{ note: 'abcdefgh' }], ['note'], { width: 5 })).toBe('note\nabcd…\n')
})

test('formats any number of rows', () => {
  const rows = Array.from({ length: 200_000 }, (_, number) => ({ number }))
  expect(table(rows, ['number']).length).toBe(200_001 * 7)
})

test('sets off the head, with titles for names', () => {
  const style = { bold: (head: string) => `<${head}>`, title: (name: string) => name.replaceAll('_', ' ') }
  expect(table([{ poll_interval: 3 }], ['poll_interval'], style)).toBe('<poll interval>\n            3\n')
})

test('shows the head alone where there are no rows', () => {
  expect(table<{ name: string }>([], ['name'])).toBe('name\n')
})
