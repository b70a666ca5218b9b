import { expect, test } from '@jest/globals'
import { jsonValue, survives } from './json-value.js'
import { mysqlJson } from './mysql.js'
import { arrayLiteral, parseArray } from './postgresql-array.js'
import { postgresqlJson, postgresqlText } from './postgresql-values.js'

test('JSON is parsed unless a double would change a number in it', () => {
  expect(jsonValue('{"a": [1, 2.50, -3e2, "12345678901234567890"]}')).toEqual({
    a: [1, 2.5, -300, '12345678901234567890'],
  })
  for (const text of ['{"id": 9007199254740993}', '[1e400]', '[0.1000000000000000055]'])
    expect(jsonValue(text)).toBe(text)
  expect(['0', '-0.0', '10', '1e21', '123456789012345680000'].map(survives)).toEqual([true, true, true, true, true])
})

test('arrays of PostgreSQL are parsed with their quotes, nulls and dimensions, and written so that they are read alike', () => {
  const text = '{a,"b c","d\\"e\\\\f",NULL,"NULL",""}'
  const values = ['a', 'b c', 'd"e\\f', null, 'NULL', '']
  expect(parseArray(text, element => element)).toEqual(values)
  expect(parseArray(arrayLiteral(values, String), element => element)).toEqual([
    'a',
    'b c',
    'd"e\\f',
    'null',
    'NULL',
    '',
  ])
  expect(parseArray('[0:1][1:2]={{1,2},{3,4}}', Number)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(parseArray('{}', Number)).toEqual([])
})

test('values of PostgreSQL become JSON that loses nothing', () => {
  const json = (type: string, text: string) => postgresqlJson({ type, isArray: false }, text)
  expect(json('int4', '-7')).toBe(-7)
  expect(json('int8', '9007199254740993')).toBe('9007199254740993')
  expect(json('numeric', '12.50')).toBe('12.50')
  expect(json('float8', 'NaN')).toBe('NaN')
  expect(json('timestamptz', '2024-03-31 01:30:00.123456+00')).toBe('2024-03-31T01:30:00.123456Z')
  expect(json('timestamptz', 'infinity')).toBe('infinity')
  expect(json('timestamp', '2024-03-31 01:30:00')).toBe('2024-03-31 01:30:00')
  expect(json('bytea', '\\x00ff')).toBe('AP8=')
  expect(postgresqlText({ type: 'bytea', isArray: false }, 'AP8=')).toBe('\\x00ff')
})

test('values of MySQL become JSON that loses nothing', () => {
  expect(mysqlJson({ type: 'timestamp' }, '1711848600.123456')).toBe('2024-03-31T01:30:00.123456Z')
  expect(mysqlJson({ type: 'float' }, '1.100000023841858')).toBe(1.1)
  expect(mysqlJson({ type: 'bigint' }, '9007199254740993')).toBe('9007199254740993')
  expect([mysqlJson({ type: 'bool' }, '1'), mysqlJson({ type: 'bool' }, '7')]).toEqual([true, 7])
})
