import { expect, test } from '@jest/globals'
import { attributesOf, differences, editDifferences, isOverwritten, mergeOf, shortText } from './values.js'

test('a difference is listed by attribute, and a merge sends null for what is removed', () => {
  const before = { name: 'Porto', note: 'old', people: 1 }
  const found = differences(before, { name: 'Porto', people: 2, tag: ['a'] })
  expect(found).toEqual([
    { name: 'note', before: 'old', after: undefined },
    { name: 'people', before: 1, after: 2 },
    { name: 'tag', before: undefined, after: ['a'] },
  ])
  expect(mergeOf(found)).toEqual({ note: null, people: 2, tag: ['a'] })
  expect(differences(before, { people: 1, note: 'old', name: 'Porto' })).toEqual([])
})

test('an edit changes what was typed alone, over what somebody else wrote meanwhile', () => {
  const before = { name: 'Porto', people: 1, note: 'old' }
  const now = { name: 'Oporto', people: 5, note: 'old' }
  const edited = editDifferences({ before, after: { ...before, people: 2 }, now })
  expect(edited).toEqual([{ name: 'people', before: 5, after: 2 }])
  expect(isOverwritten(edited, { ...now, people: 2 })).toBe(false)
  expect(isOverwritten(edited, { ...now, people: 3 })).toBe(true)
  expect(editDifferences({ before, after: { ...before, people: 5 }, now })).toEqual([])
})

test('names that objects inherit are attributes like any other', () => {
  const after = attributesOf('{"toString": 1, "__proto__": {"a": 1}}')
  expect(differences({}, after).map(({ name }) => name)).toEqual(['__proto__', 'toString'])
})

test('input must be an object of attributes', () => {
  for (const text of ['[]', '1', 'null', '{']) expect(() => attributesOf(text)).toThrow()
  expect(shortText('x'.repeat(200)).length).toBe(121)
})
