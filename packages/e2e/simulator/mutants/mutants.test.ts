import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { mutants } from './index.js'

const repository = new URL('../../../../', import.meta.url)

test.each(mutants)('the text of the planted fault stands once in its file: $law', ({ file, find, also = [] }) => {
  for (const fault of [{ file, find }, ...also]) {
    const text = readFileSync(new URL(fault.file, repository), 'utf8')
    expect(text.split(fault.find).length - 1).toBe(1)
  }
})
