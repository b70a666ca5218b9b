import { expect, test } from '@jest/globals'
import { csvRows } from './csv.js'

const fields = (text: string) => csvRows(text).map(row => row.fields)

test('fields are separated by commas, and quoted where they hold one', () => {
  expect(fields('login,team\r\nada,"north, ""east"""\r\n')).toEqual([
    ['login', 'team'],
    ['ada', 'north, "east"'],
  ])
  expect(fields('a,\n,b')).toEqual([
    ['a', ''],
    ['', 'b'],
  ])
  expect(fields('a,')).toEqual([['a', '']])
})

test('rows know their line number, after empty lines and line breaks within quotes', () => {
  expect(csvRows('a\n\n"b\nc"\nd').map(({ number, fields }) => [number, ...fields])).toEqual([
    [1, 'a'],
    [3, 'b\nc'],
    [5, 'd'],
  ])
})

test('an unclosed quote takes the rest of the file', () => {
  expect(fields('a,"b\nc')).toEqual([['a', '"b\nc']])
  expect(fields(`"${'"'.repeat(100_001)}`).length).toBe(1)
})
