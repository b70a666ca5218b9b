import { expect, test } from '@jest/globals'
import { phrasesIn, privateNamesIn } from './names.js'

test('a declared name with a private word is listed with its line and a plain word', () => {
  const text =
    'const limit = 1\nexport function lastAsked({ twinOf }: Row): void { limit.asked() }\nclass A { #misfits = 1 }'
  expect(privateNamesIn('a.ts', text)).toEqual([
    'a.ts:2: the name lastAsked: write requested',
    'a.ts:2: the name twinOf: write duplicate',
    'a.ts:3: the name #misfits: write invalidValues',
  ])
})

test('a word inside of another word, and a property that another file declares, are not listed', () => {
  expect(privateNamesIn('a.ts', 'const notebook = layout.told\nconst basked = 1')).toEqual([])
})

test('a habitual phrase is listed with its line', () => {
  expect(phrasesIn('a.md', 'Plain.\nIt waits for so many seconds.')).toEqual([
    'a.md:2: "so many": write the number of …, or the limit',
  ])
})
