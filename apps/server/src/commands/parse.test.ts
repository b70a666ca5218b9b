import { describe, expect, test } from '@jest/globals'
import { command, UsageError } from './command.js'
import { helpOf } from './help.js'
import { nearest } from './nearest.js'
import { parse } from './parse.js'
import { commands } from './table.js'

const one = command({
  summary: 'does it',
  parameters: 'SOURCE [USER] FILE',
  options: {
    limit: { takes: 'N', says: 'how many' },
    tag: { takes: 'TAG', many: true, says: 'a tag' },
    force: { says: 'at any price' },
  },
  examples: ['godwit one a b'],
  async run() {},
})

const read = (...words: readonly string[]) => parse('one', one, words)

describe('the words behind a command', () => {
  test('are parameters and options in any order', () => {
    const { words, options } = read('--force', 'a', '--limit', '-1', 'b', '--tag=x', '--tag', 'y', '--json')
    expect(words).toEqual(['a', 'b'])
    expect({ ...options }).toEqual({ force: true, limit: '-1', tag: ['x', 'y'], json: true })
  })

  test('behind -- are parameters, whatever they begin with', () => {
    expect(read('a', '--', '--b').words).toEqual(['a', '--b'])
  })

  test.each([
    [['a', 'b', '--limt', '3'], 'godwit one has no option --limt. Did you mean --limit?'],
    [['a', 'b', '--frce'], 'Did you mean --force?'],
    [['a', 'b', '--__proto__'], 'has no option --__proto__.'],
    [['a', 'b', '-f'], 'has no option -f.'],
    [['a', 'b', '--password', 'x'], 'has no option --password.'],
    [['a', 'b', '--limit'], '--limit expects a value: --limit N.'],
    [['a', 'b', '--limit', '--force'], '--limit expects a value: --limit N.'],
    [['a', 'b', '--force=yes'], '--force takes no value, got yes.'],
    [[], 'godwit one expects SOURCE [USER] FILE.'],
    [['a'], 'godwit one expects SOURCE [USER] FILE, got only: a'],
    [['a', 'b', 'c', 'd'], 'godwit one takes SOURCE [USER] FILE, got: a b c d'],
  ])('%j are refused with what was expected', (words, message) => {
    expect(() => read(...words)).toThrow(UsageError)
    expect(() => read(...words)).toThrow(message)
  })
})

test.each([
  ['usres', 'users'],
  ['lst', 'list'],
  ['LIST', 'list'],
  ['resotre', 'restore'],
  ['fly', undefined],
  ['', undefined],
])('the name nearest to "%s" is %s', (word, expected) => {
  expect(nearest(word, ['list', 'users', 'restore', 'backup'])).toBe(expected)
})

const all = Object.entries(commands).flatMap(([name, entry]) =>
  'commands' in entry
    ? Object.entries(entry.commands).map(([second, found]) => [`${name} ${second}`, found] as const)
    : [[name, entry] as const],
)

test.each(all)('godwit %s has help with examples that it understands', (name, found) => {
  const help = helpOf(name, found)
  expect(help).toMatch(new RegExp(`^godwit ${name}`))
  expect(found.examples.length).toBeGreaterThan(0)
  for (const example of found.examples) {
    const [, words = ''] = new RegExp(`godwit ${name}\\b ?([^|)>]*)`).exec(example) ?? []
    const read = words.match(/'[^']*'|\S+/g) ?? []
    expect({ example, isIt: example.includes(`godwit ${name}`) }).toEqual({ example, isIt: true })
    expect(() => parse(name, found, [...read])).not.toThrow()
  }
})
