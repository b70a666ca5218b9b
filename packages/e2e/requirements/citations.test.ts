import { expect, test } from '@jest/globals'
import { citationsIn } from './citations.js'

test.each([
  ['a name', `test('makes a thing [rest.things.made]', () => {})`],
  ['a name in double quotes', `test("makes ada's thing [rest.things.made]", () => {})`],
  ['a template', `test(\`makes a thing over \${store} [rest.things.made]\`, () => {})`],
  ['the start of a template', `test(\`[rest.things.made] over \${store} and \${other}\`, () => {})`],
  ['the name of a table', `test.each(stores)('makes a thing in %s [rest.things.made]', () => {})`],
  ['a row of a table', `test.each([['makes a thing [rest.things.made]', 1]])('%s', () => {})`],
  ['the name of a tagged table', `test.each\`a | b\n\${1} | \${2}\`('$a makes a thing [rest.things.made]', () => {})`],
  ['a group', `describe('things [rest.things.made]', () => {})`],
  ['a focused test', `test.only('makes a thing [rest.things.made]', () => {})`],
])('finds the id in %s', (_, source) => {
  expect(idsIn(source)).toEqual(['rest.things.made'])
})

test.each([
  ['side by side', `test('a thing [rest.a.b] [model.c.d]', () => {})`],
  ['without a space', `test('a thing [rest.a.b][model.c.d]', () => {})`],
  ['in one bracket', `test('a thing [rest.a.b, model.c.d]', () => {})`],
])('finds several ids %s', (_, source) => {
  expect(idsIn(source)).toEqual(['rest.a.b', 'model.c.d'])
})

test('finds ids of all three documents and names the file', () => {
  expect(citationsIn(`test('[rest.a.b] [model.a.b] [behaviour.a.b]', () => {})`, 'some.test.ts')).toEqual([
    { id: 'rest.a.b', file: 'some.test.ts' },
    { id: 'model.a.b', file: 'some.test.ts' },
    { id: 'behaviour.a.b', file: 'some.test.ts' },
  ])
})

test('finds a misspelt id, so that it is noticed', () => {
  expect(idsIn(`test('a thing [rest.Things.made_up]', () => {})`)).toEqual(['rest.Things.made_up'])
})

test.each([
  ['a comment', `// test('makes a thing [rest.things.made]')\ntest('other', () => {})`],
  ['a computed member', 'test("other", () => { rows[model.source.id]; return { [model.name.text]: [rest.a.b] } })'],
  ['a skipped test', `test.skip('makes a thing [rest.things.made]', () => {})`],
  ['a skipped table', `test.skip.each(stores)('makes a thing in %s [rest.things.made]', () => {})`],
  ['a skipped concurrent test', `it.concurrent.skip('makes a thing [rest.things.made]', () => {})`],
  ['a test to do', `test.todo('makes a thing [rest.things.made]')`],
  ['a test that must fail', `test.failing('makes a thing [rest.things.made]', () => {})`],
  ['an old-style skipped test', `xit('makes a thing [rest.things.made]', () => {})`],
  ['a skipped group', `describe.skip('things', () => { test('[rest.things.made]', () => {}) })`],
  ['other brackets', `test('a list [1, 2] [design.journal.gap]', () => {})`],
])('finds nothing in %s', (_, source) => {
  expect(idsIn(source)).toEqual([])
})

const idsIn = (source: string) => citationsIn(source, 'some.test.ts').map(({ id }) => id)
