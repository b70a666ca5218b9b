import type { AttributeValue } from '@godwit/protocol'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { OpenModel } from '../database/open-models.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import { answer, type OracleRow, type Types } from './oracle.fixture.js'
import { type Comparison, type Condition, FUNCTIONS, OPERATORS, type Operator, type Query } from './query-tree.js'

const TYPES: Types = { name: 'String', count: 'Integer', price: 'Float', fresh: 'Boolean', any: 'Varchar' }
const NAMES = [...Object.keys(TYPES), 'object']

const text = fc.constantFrom(
  '',
  'a',
  'B',
  'ab',
  'Ab%',
  'b_',
  ' x ',
  'Ä',
  '😀',
  "it's",
  'true',
  '5',
  '10',
  '1.25',
  'a"b',
  '[1]',
)
const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  text,
  // Often the same numbers, so that equality and the ends of ranges are tested too.
  { weight: 2, arbitrary: fc.constantFrom(1, 5, 10, 1.25) },
  fc.integer({ min: -20, max: 2000 }),
  fc.integer({ min: -8, max: 8 }).map(quarters => quarters / 4),
  fc.boolean(),
)
const value: fc.Arbitrary<AttributeValue> = fc.oneof(
  { weight: 9, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom<AttributeValue>([1, 'a'], { a: [true] }) },
)
const rows: fc.Arbitrary<readonly OracleRow[]> = fc.uniqueArray(
  fc.record({
    object: fc.constantFrom('1', '2', '10', 'a', 'B', 'x y', '7', '70', 'ä', 'é'),
    attributes: fc.dictionary(fc.constantFrom(...Object.keys(TYPES)), value, { maxKeys: 5, noNullPrototype: true }),
  }),
  { selector: ({ object }) => object, maxLength: 10 },
)

const comparison: fc.Arbitrary<Comparison> = fc
  .record({
    attribute: fc.constantFrom(...NAMES),
    operator: fc.constantFrom<Operator>(...OPERATORS),
    one: fc.option(scalar, { freq: 8 }),
    list: fc.array(fc.option(scalar, { freq: 8 }), { maxLength: 4 }),
    func: fc.option(fc.constantFrom(...FUNCTIONS), { freq: 3 }),
  })
  .filter(({ operator, one }) => operator.endsWith('IN') || ['=', '<>'].includes(operator) || one !== null)
  .map(({ attribute, operator, one, list, func }) => ({
    kind: 'compare',
    attribute,
    operator,
    value: operator.endsWith('IN') ? list : one,
    // ABS returns a number, and LIKE compares text.
    ...(func !== null && !(func === 'ABS' && operator === 'LIKE') && { func }),
  }))

const common = fc.constantFrom<AttributeValue>(1, 5, 10, 1.25, '5', '10', 'a')

/** Several comparisons of one attribute, which may be merged. */
const ofOne: fc.Arbitrary<readonly Comparison[]> = fc
  .tuple(
    fc.constantFrom('count', 'price', ...NAMES),
    fc.constantFrom<readonly Operator[]>(['<', '>'], ['<=', '>='], ['='], ['<', '>', '<=', '>=', '=']),
  )
  .chain(([attribute, operators]) =>
    fc.array(
      fc.record({
        kind: fc.constant('compare' as const),
        attribute: fc.constant(attribute),
        operator: fc.constantFrom(...operators),
        value: fc.oneof(common, scalar),
      }),
      { minLength: 2, maxLength: 4 },
    ),
  )

const { condition } = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison,
    fc.record({ kind: fc.constantFrom<'and' | 'or'>('and', 'or'), parts: ofOne }),
    fc.record({
      kind: fc.constantFrom<'and' | 'or'>('and', 'or'),
      parts: fc.oneof(
        fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
        fc.tuple(tie('condition'), ofOne).map(([other, same]) => [other, ...same]),
      ),
    }),
  ),
}))

const query: fc.Arbitrary<Query> = fc.record(
  {
    condition,
    order: fc.array(
      fc.record({ attribute: fc.constantFrom(...NAMES), direction: fc.constantFrom<'ASC' | 'DESC'>('ASC', 'DESC') }),
      { maxLength: 2 },
    ),
    limit: fc.nat({ max: 12 }),
    offset: fc.nat({ max: 4 }),
  },
  { requiredKeys: ['order'] },
)

/** Returns a condition in the documented list notation. */
function documented(given: Condition): unknown {
  if (given.kind === 'compare') {
    const { attribute, operator, value, func } = given
    const members = Array.isArray(value) ? { values: value } : { value }
    return { attrib: attribute, op: operator.toLowerCase(), ...members, ...(func && { func }) }
  }
  if (given.kind !== 'and' && given.kind !== 'or') throw new Error('No such condition is made here.')
  return { conditions: given.parts.map(documented), op: given.kind.toUpperCase() }
}

/** Returns a condition as a map with operators, if it has no functions. */
function mapped(given: Condition): unknown {
  if (given.kind === 'compare') return { [given.attribute]: { [given.operator.toLowerCase()]: given.value } }
  if (given.kind !== 'and' && given.kind !== 'or') throw new Error('No such condition is made here.')
  return { conditions: given.parts.map(mapped), op: given.kind }
}

/** Returns a condition as an SQL fragment. Lists are bound to one `?`; null becomes IS NULL. */
function fragment(given: Condition): readonly [sql: string, ...values: AttributeValue[]] {
  if (given.kind === 'compare') return comparing(given)
  if (given.kind !== 'and' && given.kind !== 'or') throw new Error('No such condition is made here.')
  const parts = given.parts.map(fragment)
  return [`(${parts.map(([sql]) => sql).join(` ${given.kind} `)})`, ...parts.flatMap(([, ...values]) => values)]
}

function comparing({ attribute, operator, value, func }: Comparison): readonly [string, ...AttributeValue[]] {
  const term = func ? `${func}("${attribute}")` : `"${attribute}"`
  if (Array.isArray(value)) return [`${term} ${operator} (?)`, value.map(one => meeting(func, one))]
  if (value === null) return [`${term} IS ${operator === '<>' ? 'NOT ' : ''}NULL`]
  return [`${term} /* so */ ${operator} ?`, operator === 'LIKE' ? String(value) : meeting(func, value)]
}

/** Returns the operand for the result of a function, which has no declared type, so that SQL compares it without conversion. */
function meeting(func: Comparison['func'], value: AttributeValue): AttributeValue {
  if (func === undefined || value === null) return value
  const isNumber = (func === 'LENGTH' || func === 'ABS') && String(value).trim() !== '' && !Number.isNaN(Number(value))
  return isNumber && typeof value !== 'boolean' ? Number(value) : String(value)
}

const some = (given: Condition | undefined, test: (one: Comparison) => boolean): boolean =>
  given !== undefined &&
  (given.kind === 'compare'
    ? test(given)
    : (given.kind === 'and' || given.kind === 'or') && given.parts.some(part => some(part, test)))

const directories = temporaryDirectories()
let opened: OpenedDevice
const models = ['Bag', 'TwinBag', 'IndexedBag', 'Fixed', 'IndexedFixed'] as const

beforeAll(async () => {
  opened = openOn(await driveOn('better-sqlite3', directories.make()), new FakeServer())
  for (const name of models) {
    opened.sdk.addModel(name, model => {
      if (name.endsWith('Fixed')) model.enable('fixed_schema')
      // Columns must differ by more than case, so the second of each two declared attributes has none.
      if (name === 'TwinBag')
        for (const attribute of Object.keys(TYPES)) model.setModelProperty(attribute.toUpperCase())
      // Undeclared attributes are text, as Varchar is.
      for (const attribute of Object.keys(TYPES)) {
        if (name !== 'Bag' || attribute !== 'any') model.setModelProperty(attribute, TYPES[attribute])
      }
      if (name.startsWith('Indexed')) for (const attribute of NAMES) model.setSchemaIndex(attribute, [attribute], false)
    })
  }
})
afterAll(async () => {
  await opened.sdk.close()
  directories.removeAll()
})

/** Stores rows as a server sends them, including values that do not match their declared type. */
function fill(objects: readonly OracleRow[]): void {
  opened.device.transaction(() => {
    for (const name of models) {
      const { rows } = opened.parts.registry.get(name) as OpenModel
      rows.clear()
      for (const { object, attributes } of objects) rows.insert(object, { version: 1, pass: 1, attributes })
    }
  })
}

const idsOf = (rows: readonly { readonly object: string | undefined }[]) => rows.map(({ object }) => object)

/** Yields the results of a query in each notation. */
function* answers(name: string, { condition, ...query }: Query): Generator<readonly [way: string, found: unknown]> {
  const records = opened.device.find(name) as Records
  const orm = opened.sdk.getModel(name)
  const { order, ...part } = query
  const options = { ...part, order: order.map(term => term.attribute), orderdir: order.map(term => term.direction) }
  yield ['the engine', idsOf(records.read({ ...query, ...(condition && { condition }) }))]
  yield ['the document', idsOf(orm?.find('all', { ...options, conditions: condition && documented(condition) }) ?? [])]
  if (
    condition &&
    !some(condition, ({ value }) => Array.isArray(value) && (value.length === 0 || value.includes(null)))
  )
    yield ['SQL', idsOf(orm?.find('all', { ...options, conditions: fragment(condition) }) ?? [])]
  if (!some(condition, ({ func }) => func !== undefined)) {
    const requested = { ...options, ...(condition && { conditions: mapped(condition) }) }
    yield ['maps of operators', idsOf(orm?.find('all', requested) ?? [])]
  }
}

test('both APIs and both kinds of storage answer any query as a scan of every row would', () => {
  fc.assert(
    fc.property(rows, fc.array(query, { minLength: 3, maxLength: 6 }), (objects, queries) => {
      fill(objects)
      for (const requested of queries) {
        const expected = idsOf(answer(objects, TYPES, requested))
        for (const name of models)
          for (const [way, found] of answers(name, requested))
            expect({ name, way, found }).toEqual({ name, way, found: expected })
        const { limit: _, offset: __, ...all } = requested
        for (const name of models)
          expect(opened.device.find(name)?.count(requested)).toBe(answer(objects, TYPES, all).length)
      }
    }),
    { numRuns: 120 },
  )
})
