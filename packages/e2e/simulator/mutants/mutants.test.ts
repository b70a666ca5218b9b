import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { inRepository } from '../../harness/process.js'
import { mutants } from './index.js'
import { type Fault, plant } from './plant.js'
import { renamedAndFormatted } from './renamed.js'
import { isOtherDeclaration } from './turn.js'

const faults: readonly Fault[] = mutants.flatMap(mutant => [mutant, ...(mutant.also ?? [])])
const textOf = (file: string): string => readFileSync(inRepository(file), 'utf8')

test.each(mutants)('a planted fault changes one place: $law', ({ also = [], ...fault }) => {
  for (const one of [fault, ...also]) {
    const text = textOf(one.file)
    expect(plant(text, one)).not.toBe(text)
  }
})

test('every planted fault stands where local names and layout are others', () => {
  for (const file of new Set(faults.map(fault => fault.file))) {
    const text = renamedAndFormatted(textOf(file))
    expect(text).not.toBe(textOf(file))
    for (const fault of faults) if (fault.file === file) expect(plant(text, fault)).not.toBe(text)
  }
})

test('a change of its guarded declaration brings a planted fault in, a change beside it does not', () => {
  const fault = { file: 'a.ts', in: 'C.m', find: '$A > 0', replace: '$A >= 0' }
  const before = 'const k = 1\nexport class C {\n  m(x) { return x > 0 }\n  n() {}\n}\n'
  expect(isOtherDeclaration(before, before.replace('k = 1', 'k = 2').replace('n() {}', 'n() { k }'), fault)).toBe(false)
  expect(isOtherDeclaration(before, before.replace('return x', 'return !x || x'), fault)).toBe(true)
  expect(isOtherDeclaration(before.replace('m(x)', 'l(x)'), before, fault)).toBe(true)
  expect(isOtherDeclaration(undefined, before, fault)).toBe(true)
})

describe('a pattern', () => {
  const fault = { file: 'a.ts', in: 'f', find: '$A > 0', replace: '$A >= 0' }

  test('that matches nothing in its declaration is refused', () => {
    expect(() => plant('const g = (x) => x > 0\nfunction f(x) {}', fault)).toThrow(
      'expected one place like "$A > 0" in f of a.ts, got 0',
    )
  })

  test('that matches two places of its declaration is refused', () => {
    expect(() => plant('function f(x, y) { return x > 0 || y > 0 }', fault)).toThrow('got 2')
  })

  test('of a declaration that is not there is refused', () => {
    expect(() => plant('function g(x) { return x > 0 }', fault)).toThrow('expected f at the top of a.ts')
  })

  test('keeps what its variables matched, and all around it', () => {
    const text = '// ä 🐦\nexport class C { m(x) { return this.#go("é", x, 1) } }\n'
    const call = { file: 'a.ts', in: 'C.m', find: 'this.#go($$$ALL)', replace: 'this.#come($$$ALL, 2)' }
    expect(plant(text, call)).toBe('// ä 🐦\nexport class C { m(x) { return this.#come("é", x, 1, 2) } }\n')
  })
})
