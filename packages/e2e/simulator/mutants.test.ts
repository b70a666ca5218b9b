import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { mutants } from './mutants.js'

const repository = new URL('../../../', import.meta.url)

test.each(mutants)('the text of the planted fault stands once in its file: $law', ({ file, find }) => {
  const text = readFileSync(new URL(file, repository), 'utf8')
  expect(text.split(find).length - 1).toBe(1)
})
