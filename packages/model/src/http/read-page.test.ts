import type { Attributes, ObjectId } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { JsonCursor } from './json-cursor.js'
import { type ReadPage, readPage } from './read-page.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The members of an object as the cursor gives them. */
function membersOf(text: string): readonly (readonly [name: string, value: unknown])[] {
  const cursor = new JsonCursor(bytesOf(text))
  const members: (readonly [string, unknown])[] = []
  cursor.enter()
  for (let name = cursor.member(); name !== undefined; name = cursor.member())
    members.push([name, JSON.parse(cursor.value())])
  cursor.end()
  return members
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\n', '\u0000', 'a', 'ä', '😀') }),
  fc.constantFrom('__proto__', 'constructor', 'insert', 'versions'),
)
const json = fc.jsonValue({ depthSize: 'small', stringUnit: 'grapheme' })
const object = fc.dictionary(text, fc.oneof(json, text), { maxKeys: 6 })
const spacing = fc.constantFrom(undefined, 1, '\t', ' \r\n')

test('yields the members of any object in order, with any spacing and escapes', () => {
  fc.assert(
    fc.property(object, spacing, fc.boolean(), (given, space, isEscaped) => {
      const plain = JSON.stringify(given, null, space)
      const written = isEscaped ? escaped(plain) : plain
      const around = space === undefined ? written : ` \n${written}\r\t`
      expect(membersOf(around)).toEqual(Object.entries(JSON.parse(plain)))
    }),
  )
})

/** Letters may be written as escapes too, and so may what is not ASCII. */
const escaped = (written: string): string =>
  written.replace(/"(?:[^"\\]|\\.)*"/g, one =>
    one.replace(/[äa]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

test('refuses malformed JSON', () => {
  const broken = fc.tuple(object, fc.nat(), fc.constantFrom('', ',', '}', '{', ']', '[', '"', '\\', ':', '5', 'x'))
  fc.assert(
    fc.property(broken, spacing, ([given, place, instead], space) => {
      const whole = [...JSON.stringify(given, null, space)]
      const damaged = whole.with(place % whole.length, instead).join('')
      const expected = outcomeOf(() => Object.entries(JSON.parse(damaged)))
      const found = outcomeOf(() => membersOf(damaged))
      if (expected === 'no JSON' || !/^\s*\{/.test(damaged)) expect(found).toBe('no JSON')
      else expect(Object.entries(Object.fromEntries(found as [string, unknown][]))).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

function outcomeOf<T>(run: () => T): T | 'no JSON' {
  try {
    return run()
  } catch (error) {
    if (error instanceof SyntaxError) return 'no JSON'
    throw error
  }
}

type Row = readonly [object: ObjectId, version: number, attributes?: Attributes]

function rowsOf(page: ReadPage): { readonly inserts: readonly Row[]; readonly deletes: readonly Row[] } {
  const [inserts, deletes]: [Row[], Row[]] = [[], []]
  page.eachInsert((...row) => inserts.push(row))
  page.eachDelete((...row) => deletes.push(row))
  return { inserts, deletes }
}

test('reads the rows of a page as JSON.parse would, with members in any order', () => {
  const rows = fc.uniqueArray(fc.tuple(text, fc.nat(), fc.option(object)), { selector: ([id]) => id, maxLength: 8 })
  const shuffled = (names: readonly string[]) => fc.shuffledSubarray([...names], { minLength: names.length })
  const members = shuffled(['token', 'insert', 'versions', 'delete', 'metadata'])
  const orders = fc.tuple(fc.infiniteStream(fc.nat()), members, spacing)
  fc.assert(
    fc.property(rows, orders, (given, [random, order, space]) => {
      const byVersion = given.toSorted(() => ((random.next().value ?? 0) % 3) - 1)
      const page: Record<string, unknown> = {
        token: 't',
        insert: mapOf(given.flatMap(([id, , attributes]) => (attributes === null ? [] : [[id, attributes]]))),
        versions: mapOf(byVersion.map(([id, version]) => [id, version])),
        delete: given.flatMap(([id, , attributes]) => (attributes === null ? [id] : [])),
        metadata: { insert: { a: {} }, versions: { a: 1 } },
      }
      const written = JSON.stringify(Object.fromEntries(order.map(name => [name, page[name]])), null, space)
      const whole = JSON.parse(written)
      const read = readPage(bytesOf(written))
      for (let turn = 0; turn < 2; turn++) {
        const { inserts, deletes } = rowsOf(read)
        expect(inserts).toEqual(Object.entries(whole.insert).map(([id, one]) => [id, whole.versions[id], one]))
        expect(deletes).toEqual(whole.delete.map((id: string) => [id, whole.versions[id]]))
      }
      expect(read).toMatchObject({ token: 't', metadata: page['metadata'] })
    }),
  )
})

/** `__proto__` is an ordinary name. */
const mapOf = (entries: readonly (readonly unknown[])[]): unknown =>
  Object.fromEntries(entries as readonly (readonly [string, unknown])[])

test('reads pages of any length, with one or more bytes per character', () => {
  const word = (at: number): string => (at % 500 < 50 ? 'ä😀€' : 'plain').repeat(1 + ((at * 7919) % 40))
  const all = Array.from({ length: 2000 }, (_, at) => [`${word(at)} ${at}`, { name: word(at + 25), at }] as const)
  const versions = all.map(([object], at) => [object, at])
  const page = { token: 't', insert: mapOf(all), versions: mapOf(versions), metadata: { long: 'x'.repeat(100_000) } }
  const read = readPage(bytesOf(JSON.stringify(page)))
  expect(rowsOf(read).inserts).toEqual(all.map(([object, attributes], at) => [object, at, attributes]))
  expect(read).toMatchObject({ metadata: page.metadata })
})

test('a page may omit optional members', () => {
  const page = readPage(bytesOf('{"token":"t","more":false}'))
  expect(page).toMatchObject({ token: 't', more: false })
  expect(rowsOf(page)).toEqual({ inserts: [], deletes: [] })
})

test.each(['', 'null', '[]', '{"token":"t"', '{"token":"t"} {}', '<html>'])('%j is no page', written => {
  expect(() => readPage(bytesOf(written))).toThrow(SyntaxError)
})

test.each([
  '{"insert":{"a":{"b":x}},"versions":{"a":1}}',
  '{"insert":{"a":{} "b":{}}}',
  '{"insert":{"a":{}},"versions":[1]}',
])('objects that are not JSON are reported as such: %s', written => {
  const page = readPage(bytesOf(written))
  expect(() => rowsOf(page)).toThrow('The server sent a page with objects that are not JSON.')
})
