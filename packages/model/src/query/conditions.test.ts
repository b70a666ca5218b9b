import { expect, test } from '@jest/globals'
import { EVERYTHING } from './query-tree.js'
import { readFind, readPaginate } from './read-options.js'

const queryInvalid = (message: string) =>
  expect.objectContaining({ code: 'query_invalid', message: expect.stringContaining(message) })

test.each([
  ['Promise', Promise.resolve({ name: 'a' })],
  ['Map', new Map([['name', 'a']])],
  ['Set', new Set(['a'])],
  ['Date', new Date(0)],
  ['RegExp', /a/],
])('a %s is no condition, as it would match everything', (kind, conditions) => {
  for (const given of [conditions, { conditions }, { conditions: [{ name: 'a' }, conditions] }, { name: conditions }])
    expect(() => readFind(given)).toThrow(queryInvalid(`got ${kind}.`))
})

test('members of a class instance are conditions', () => {
  class Named {
    readonly name = 'a'
  }
  expect(readFind(new Named())).toEqual(readFind({ name: 'a' }))
  expect(() => readFind(new (class {})())).toThrow(queryInvalid('got Object.'))
  expect([readFind({}), readFind(Object.create(null))]).toEqual([EVERYTHING, EVERYTHING])
})

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['5n', 5n],
  ['Date', new Date(0)],
  ['Array', [5n]],
  ['Object', { price: undefined }],
  ['Symbol(a)', Symbol('a')],
])('%s is no value, alone or in a list', (displayed, value) => {
  const lists = [
    { name: [value, 'a'] },
    { attrib: 'name', op: 'NOT IN', values: ['a', value] },
    ['name IN (?)', [value]],
  ]
  for (const conditions of lists) expect(() => readFind({ conditions })).toThrow(queryInvalid(`got ${displayed}.`))
  for (const conditions of [{ name: { '>': value } }, ['name = ?', value]])
    expect(() => readFind({ conditions })).toThrow(expect.objectContaining({ code: 'query_invalid' }))
})

test('a list with a hole, or one that holds itself, is no list of values', () => {
  const circular: unknown[] = []
  circular.push(circular)
  // biome-ignore lint/suspicious/noSparseArray: the tested case.
  expect(() => readFind({ name: ['a', , 'b'] })).toThrow(queryInvalid('got undefined.'))
  expect(() => readFind({ name: circular })).toThrow(queryInvalid('got Array.'))
})

test.each([
  ['NaN', Number.NaN],
  ['1n', 1n],
])('%s is refused as a page', (displayed, page) => {
  expect(() => readPaginate({ page })).toThrow(queryInvalid(`got ${displayed}.`))
})
