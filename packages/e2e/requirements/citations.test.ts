import { expect, test } from '@jest/globals'
import { citationsIn } from './citations.js'

const made = `verifies('rest.things.made')`

test.each([
  ['a test', `test('makes a thing', () => { ${made} })`],
  ['a test with double quotes', `test("makes ada's thing", () => { verifies("rest.things.made") })`],
  ['an asynchronous test', `test('makes a thing', async () => { ${made}; await thing() })`],
  ['a table', `test.each(stores)('makes a thing in %s', () => { ${made} })`],
  ['a tagged table', `test.each\`a | b\n\${1} | \${2}\`('$a makes a thing', () => { ${made} })`],
  ['a wrapped body', `test('makes a thing', within(store, async () => { ${made} }))`],
  ['a test in a group', `describe('things', () => { test('are made', () => { ${made} }) })`],
  ['a focused test', `test.only('makes a thing', () => { ${made} })`],
])('finds the id in %s', (_, source) => {
  expect(idsIn(source)).toEqual(['rest.things.made'])
})

test('finds ids of both documents and names the file', () => {
  const source = `test('a thing', () => { verifies('rest.a.b', 'model.a.b') })`
  expect(citationsIn(source, 'some.test.ts')).toEqual([
    { id: 'rest.a.b', file: 'some.test.ts' },
    { id: 'model.a.b', file: 'some.test.ts' },
  ])
})

test('finds a misspelt id, so that it is noticed', () => {
  expect(idsIn(`test('a thing', () => { verifies('rest.Things.made_up') })`)).toEqual(['rest.Things.made_up'])
})

test.each([
  ['a comment', `// test('makes a thing', () => { ${made} })\ntest('other', () => {})`],
  ['a title', `test('makes a thing [rest.things.made]', () => {})`],
  ['a title that quotes a call', `test("${made} is read", () => {})`],
  ['the method of an object', `test('other', () => { proof.${made} })`],
  ['a skipped test', `test.skip('makes a thing', () => { ${made} })`],
  ['a skipped table', `test.skip.each(stores)('makes a thing in %s', () => { ${made} })`],
  ['a skipped concurrent test', `it.concurrent.skip('makes a thing', () => { ${made} })`],
  ['a test that must fail', `test.failing('makes a thing', () => { ${made} })`],
  ['an old-style skipped test', `xit('makes a thing', () => { ${made} })`],
  ['a skipped group', `describe.skip('things', () => { test('are made', () => { ${made} }) })`],
])('finds nothing in %s', (_, source) => {
  expect(idsIn(source)).toEqual([])
})

const idsIn = (source: string) => citationsIn(source, 'some.test.ts').map(({ id }) => id)
