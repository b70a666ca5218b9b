import { expect, test } from '@jest/globals'
import { problemsOf } from './problems.js'
import { type Document, requirements, type State } from './requirement.js'

const file = 'some.test.ts'

test('finds nothing wrong where held is cited and planned is not', () => {
  const documents = documentOf(entry('made', 'held'), entry('later', 'planned'))
  expect(problemsOf(documents, [{ id: 'rest.things.made', file }])).toEqual([])
})

test('notices a held id that no test cites', () => {
  expect(problemsOf(documentOf(entry('made', 'held')), [])).toEqual([
    'rest.things.made is held, but no test that runs cites it: hand it to verifies in a test or turn it to planned.',
  ])
})

test('notices a cited id that the manifest does not have', () => {
  expect(problemsOf(documentOf(), [{ id: 'rest.things.maid', file }])).toEqual([
    'rest.things.maid is cited by some.test.ts, but the manifest has no such id.',
  ])
})

test('notices a cited id that is still planned, and says what to do', () => {
  expect(problemsOf(documentOf(entry('made', 'planned')), [{ id: 'rest.things.made', file }])).toEqual([
    'rest.things.made is cited by some.test.ts, but still planned: turn it to held.',
  ])
})

test('notices an id that stands twice', () => {
  const documents = [...documentOf(entry('made', 'planned')), ...documentOf(entry('made', 'planned', 'Another.'))]
  expect(problemsOf(documents, [])).toEqual(['rest.things.made: the id stands twice in the manifest.'])
})

test('notices a sentence that stands twice', () => {
  const documents = documentOf(entry('made', 'planned', 'The same.'), entry('done', 'planned', 'The same.'))
  expect(problemsOf(documents, [])).toEqual(['“The same.” stands twice in the manifest.'])
})

test.each([
  ['', 'the sentence is empty.'],
  [' ', 'the sentence is empty.'],
  ['A thing is made', 'the sentence does not end in a full stop.'],
])('notices the sentence “%s”', (says, problem) => {
  expect(problemsOf(documentOf(entry('made', 'planned', says)), [])).toEqual([`rest.things.made: ${problem}`])
})

test.each(['Made', 'made_up', 'made..up', ''])('notices the misshapen name “%s”', name => {
  expect(problemsOf(documentOf(entry(name, 'planned')), [])).toEqual([
    `rest.things.${name}: an id is document.section.name, in lower case with dots and hyphens.`,
  ])
})

type Entry = readonly [name: string, entry: { readonly says: string; readonly state: State }]

function entry(name: string, state: State, says = `A thing is ${name}.`): Entry {
  return [name, { says, state }]
}

function documentOf(...entries: readonly Entry[]): readonly Document[] {
  return [{ name: 'rest-api', sections: [requirements('rest.things', Object.fromEntries(entries))] }]
}
