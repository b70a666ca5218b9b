import { expect, test } from '@jest/globals'
import { textOf } from './export-text.js'

const parts = [
  [['a', { x: 1 }]],
  [
    ['__proto__', { x: null }],
    ['c', {}],
  ],
] as const

test('an export is one object map, or a line for each object', () => {
  const json = textOf('json')
  const map = parts.map(part => json.part(part)).join('') + json.end()
  expect(map).toBe('{\n"a":{"x":1},\n"__proto__":{"x":null},\n"c":{}\n}\n')
  const lines = textOf('ndjson')
  expect(parts.map(part => lines.part(part)).join('') + lines.end()).toBe(
    '{"x":1,"id":"a"}\n{"x":null,"id":"__proto__"}\n{"id":"c"}\n',
  )
  expect(textOf('json').end()).toBe('{}\n')
})
