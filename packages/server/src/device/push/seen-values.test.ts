import { createHash } from 'node:crypto'
import { type Attributes, canonicalJson, type JsonValue, type Mutation } from '@godwit/protocol'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { conflictsOf, decideConflict } from './find-conflict.js'

const digestOf = (value: JsonValue): string => createHash('sha256').update(canonicalJson(value)).digest('hex')

/** The mutation with digests in place of some values that the device saw. */
function withDigests({ was = {}, ...mutation }: Mutation, isDigested: (name: string) => boolean): Mutation {
  const parts = (take: boolean) => Object.entries(was).filter(([name]) => isDigested(name) === take)
  const digests = parts(true).map(([name, value]) => [name, digestOf(value)] as const)
  return { ...mutation, was: Object.fromEntries(parts(false)), was_digests: Object.fromEntries(digests) }
}

const large = 'x'.repeat(2000)
const update: Mutation = {
  number: 1,
  key: 'k'.repeat(16),
  operation: 'update',
  object: 'o',
  attributes: { text: 'mine', size: 1 },
  was: { text: large, size: 2000 },
  seen: 3,
}
const { attributes: _, ...rest } = update
const remove: Mutation = { ...rest, operation: 'delete' }
const byDigest = (mutation: Mutation): Mutation => withDigests(mutation, name => name === 'text')

test('a number or boolean that a device made of its text is no change of others', () => {
  const typed: Mutation = { ...update, attributes: { size: 37, open: false }, was: { size: 36, open: true } }
  expect(conflictsOf(typed, { size: '36', open: 'true' })).toEqual([])
  expect(conflictsOf(typed, { size: '36.0', open: 'yes' })).toEqual(['size', 'open'])
  expect(conflictsOf({ ...typed, was: { size: '36', open: 'true' } }, { size: 36, open: true })).toEqual([
    'size',
    'open',
  ])
})

/** Of these a device never sends a digest. */
const isShort = (value: JsonValue | undefined): boolean => typeof value === 'number' || typeof value === 'boolean'

test('comparing digests finds the same conflicts as comparing values', () => {
  const values = fc.constantFrom<JsonValue>(
    null,
    0,
    -0,
    '',
    'a',
    'b',
    [],
    [1, 2],
    [2, 1],
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  )
  const names = fc.constantFrom('x', 'y', 'z', '__proto__', 'constructor')
  const object = fc.dictionary(names, fc.oneof(values, fc.jsonValue() as fc.Arbitrary<JsonValue>))
  const operations = fc.constantFrom('update' as const, 'delete' as const)
  fc.assert(
    fc.property(
      operations,
      object,
      object,
      object,
      fc.array(names as fc.Arbitrary<string>),
      (operation, was, attributes, present, digested) => {
        const content = operation === 'update' ? { attributes, was: pick(was, Object.keys(attributes)) } : { was }
        const mutation: Mutation = { number: 1, key: 'k'.repeat(16), operation, object: 'o', seen: 1, ...content }
        const whole = conflictsOf(mutation, present)
        const partly = withDigests(mutation, name => digested.includes(name) && !isShort(was[name]))
        expect([...conflictsOf(partly, present)].sort()).toEqual([...whole].sort())
      },
    ),
  )
})

const pick = (attributes: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)))

describe('a resolve', () => {
  const calls: unknown[] = []
  const resolving = {
    conflict: 'reject' as const,
    methods: {
      resolve: (conflict: unknown) => {
        calls.push(conflict)
        return undefined
      },
    },
  }
  const baseFor = (mutation: Mutation, present?: Attributes) => {
    decideConflict(
      resolving,
      mutation,
      present ? { state: 'live', version: 5, attributes: present } : { state: 'gone', version: 5 },
    )
    const { base, unknown } = calls.pop() as { base: Attributes; unknown: readonly string[] }
    return { base, unknown }
  }

  test('gets a large value that the device saw if the server still has it', () => {
    const present = { text: large, size: 7, city: 'Oslo' }
    const expected = { base: { text: large, size: 2000, city: 'Oslo' }, unknown: [] }
    expect(baseFor(byDigest(update), present)).toEqual(expected)
    expect(baseFor(update, present)).toEqual(expected)
    expect(baseFor(byDigest(remove), present)).toEqual({ base: { text: large, size: 2000 }, unknown: [] })
  })

  test('gets the name of a large value that was replaced since', () => {
    const expected = { base: { size: 2000 }, unknown: ['text'] }
    expect(baseFor(byDigest(update), { text: 'theirs', size: 2000 })).toEqual(expected)
    expect(baseFor(byDigest(remove), { text: 'theirs', size: 2000 })).toEqual(expected)
    expect(baseFor(byDigest(update))).toEqual(expected)
  })

  test('gets no value for an attribute that the device did not have', () => {
    const added: Mutation = { ...update, was: { size: 2000 } }
    expect(baseFor(added, { text: 'theirs', size: 7 })).toEqual({ base: { size: 2000 }, unknown: [] })
  })
})
