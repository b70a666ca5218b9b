import type { AttributeValue } from '@godwit/protocol'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { OpenModel } from '../database/open-models.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import { answer, type OracleRow, type Types } from './oracle.fixture.js'
import type { Comparison, Condition, Operator } from './query-tree.js'

const TEMPORARY = ['t1', 't2', "t'3", '4']
const REAL = ['r1', 'r2', '4', '5']
const TYPES: Types = { city: 'String', note: 'String' }
/** Models of visits. Local ones are not sent but refer to objects that are. */
const VISITS = ['Visit', 'FixedVisit', 'IndexedVisit', 'LocalVisit'] as const
/** A model whose attribute holds ids of cities or of places. */
const EITHER = 'EitherVisit'

const id = fc.constantFrom(...new Set([...TEMPORARY, ...REAL]))
const ids = fc.oneof(id, id, fc.constant(5))
const note = fc.constantFrom('a', 'b', '4')

const links = fc.uniqueArray(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), {
  selector: ([from]) => from,
  maxLength: 5,
})

/** Random data of a device. Links lead only to later ids, so that there are no cycles. */
const world = fc.record({
  cities: fc.uniqueArray(id, { maxLength: 4 }),
  cityLinks: links,
  places: fc.uniqueArray(id, { maxLength: 2 }),
  placeLinks: links,
  visits: fc.array(fc.record({ city: ids, note }, { requiredKeys: [] }), { maxLength: 8 }),
})

const ORDERED = [...new Set([...TEMPORARY, ...REAL])]
const linksOf = (pairs: readonly (readonly [number, number])[]): ReadonlyMap<string, string> =>
  new Map(
    pairs.flatMap(([from, to]) => {
      const [temporary, real] = [ORDERED[Math.min(from, to)], ORDERED[Math.max(from, to)]]
      return temporary !== undefined && real !== undefined && temporary !== real ? [[temporary, real] as const] : []
    }),
  )

const EQUAL: readonly Operator[] = ['=', '<>', 'IN', 'NOT IN']
const onIds = (attribute: string): fc.Arbitrary<Comparison> =>
  fc
    .record({
      operator: fc.constantFrom(...EQUAL),
      one: id,
      list: fc.oneof(fc.array(id, { minLength: 1, maxLength: 3 }), fc.array(id, { minLength: 5, maxLength: 6 })),
    })
    .map(({ operator, one, list }) => ({
      kind: 'compare',
      attribute,
      operator,
      value: operator.endsWith('IN') ? list : one,
    }))

const onNote: fc.Arbitrary<Comparison> = fc
  .record({ operator: fc.constantFrom<Operator>('=', '<>', '<', '>='), value: note })
  .map(given => ({ kind: 'compare', attribute: 'note', ...given }))

const conditionOn = (attribute: string): fc.Arbitrary<Condition> =>
  fc.letrec<{ condition: Condition }>(tie => ({
    condition: fc.oneof(
      { depthSize: 'small' },
      { weight: 3, arbitrary: onIds(attribute) },
      ...(attribute === 'object' ? [] : [onNote]),
      fc.record({
        kind: fc.constantFrom<'and' | 'or'>('and', 'or'),
        parts: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
      }),
    ),
  })).condition

const documented = (given: Condition): unknown => {
  if (given.kind === 'and' || given.kind === 'or') return { conditions: given.parts.map(documented), op: given.kind }
  if (given.kind !== 'compare') throw new Error('No such condition is made here.')
  const { attribute, operator, value } = given
  return { attrib: attribute, op: operator, ...(Array.isArray(value) ? { values: value } : { value }) }
}

const mapped = (given: Condition): unknown => {
  if (given.kind === 'and' || given.kind === 'or') return { conditions: given.parts.map(mapped), op: given.kind }
  if (given.kind !== 'compare') throw new Error('No such condition is made here.')
  return { [given.attribute]: { [given.operator]: given.value } }
}

/** Writes a condition as SQL in one of several ways: bound or literal values, the attribute first or last, its name quoted or not. */
function fragment(given: Condition, way: number): readonly [sql: string, ...values: AttributeValue[]] {
  if (given.kind === 'and' || given.kind === 'or') {
    const parts = given.parts.map(part => fragment(part, way))
    return [`(${parts.map(([sql]) => sql).join(` ${given.kind} `)})`, ...parts.flatMap(([, ...values]) => values)]
  }
  if (given.kind !== 'compare') throw new Error('No such condition is made here.')
  const { attribute, operator, value } = given
  const name = way % 2 === 0 ? attribute : `"${attribute}"`
  const literal = (one: AttributeValue) => `'${String(one).replaceAll("'", "''")}'`
  if (Array.isArray(value)) {
    if (way === 0) return [`${name} ${operator.toLowerCase()} (?)`, value]
    if (way === 1) return [`${name} ${operator} (${value.map(() => '?').join()})`, ...value]
    return [`${name} ${operator} (${value.map(literal).join()})`]
  }
  const sign = operator === '<>' && way === 1 ? '!=' : operator === '=' && way === 2 ? '==' : operator
  if (way === 0) return [`${name} ${sign} ?`, value]
  const turned = { '<': '>', '>=': '<=' }[operator as string] ?? sign
  return way === 1 ? [`? ${turned} ${name}`, value] : [`${name} /* so */ ${sign} ${literal(value)}`]
}

const directories = temporaryDirectories()
let opened: OpenedDevice

beforeAll(async () => {
  opened = openOn(await driveOn('better-sqlite3', directories.make()), new FakeServer(), [
    definition('City'),
    definition('Place'),
    definition(EITHER, { belongsTo: { city: ['City', 'Place'] } }),
  ])
  for (const name of VISITS) {
    opened.sdk.addModel(name, model => {
      if (name !== 'LocalVisit') model.enable('sync')
      if (name === 'FixedVisit') model.enable('fixed_schema')
      if (name === 'FixedVisit') model.setModelProperty('note')
      if (name === 'IndexedVisit') model.setSchemaIndex('byCity', ['city'], false)
      model.setBelongsTo('city', 'City')
    })
  }
})
afterAll(async () => {
  await opened.sdk.close()
  directories.removeAll()
})

/** The rows and links of one owner. */
interface Owned {
  readonly ids: readonly string[]
  readonly links: ReadonlyMap<string, string>
}

function fill(
  owners: { readonly [name: string]: Owned },
  visits: readonly { readonly city?: AttributeValue; readonly note?: string }[],
): readonly OracleRow[] {
  const rows = visits.map((attributes, at) => ({ object: `v${at}`, attributes }) as OracleRow)
  opened.device.transaction(() => {
    for (const [name, { ids, links }] of Object.entries(owners)) {
      const { rows: table, scope } = opened.parts.registry.get(name) as OpenModel
      table.clear()
      scope.links.clear(name)
      for (const object of ids) table.insert(object, { version: 1, pass: 1, attributes: {} })
      for (const [temporary, real] of links) scope.links.add({ model: name, temporary, real })
    }
    for (const name of [...VISITS, EITHER]) {
      const { rows: table } = opened.parts.registry.get(name) as OpenModel
      table.clear()
      for (const { object, attributes } of rows) table.insert(object, { version: 1, pass: 1, attributes })
    }
  })
  return rows
}

/** Returns the current id of an object: the given id if it has a row, otherwise the end of the link of the only owner that has one. */
function meant(owners: readonly Owned[], given: string): string {
  if (owners.some(({ ids }) => ids.includes(given))) return given
  const [next, ...others] = owners.flatMap(({ links }) => links.get(given) ?? [])
  return next === undefined || others.length > 0 ? given : meant(owners, next)
}

/** Returns the condition with each id replaced by the current one. */
function plain(condition: Condition, attribute: string, of: (id: string) => string): Condition {
  if (condition.kind === 'and' || condition.kind === 'or')
    return { ...condition, parts: condition.parts.map(part => plain(part, attribute, of)) }
  if (condition.kind !== 'compare' || condition.attribute !== attribute) return condition
  const { value } = condition
  return { ...condition, value: Array.isArray(value) ? value.map(one => of(String(one))) : of(String(value)) }
}

const idsOf = (rows: readonly { readonly object: string | undefined }[]) => rows.map(({ object }) => object)

function* answers(name: string, condition: Condition): Generator<readonly [way: string, found: unknown]> {
  const records = opened.device.find(name) as Records
  const orm = opened.sdk.getModel(name)
  yield ['the engine', idsOf(records.read({ condition, order: [] }))]
  yield ['the document', idsOf(orm?.find('all', { conditions: documented(condition) }) ?? [])]
  for (const way of [0, 1, 2])
    yield [`SQL ${way}`, idsOf(orm?.find('all', { conditions: fragment(condition, way) }) ?? [])]
  yield ['maps of operators', idsOf(orm?.find('all', { conditions: mapped(condition) as object }) ?? [])]
  const seen: unknown[] = []
  records.observe({ condition, order: [] }, rows => seen.push(idsOf(rows)))()
  yield ['a live query', seen[0]]
}

test('an id in a condition matches its object by its temporary and its real id', () => {
  fc.assert(
    fc.property(
      world,
      fc.array(conditionOn('city'), { minLength: 2, maxLength: 4 }),
      conditionOn('object'),
      ({ cities, cityLinks, places, placeLinks, visits }, conditions, ofCities) => {
        const City = { ids: cities, links: linksOf(cityLinks) }
        const Place = { ids: places, links: linksOf(placeLinks) }
        const rows = fill({ City, Place }, visits)
        const expected = (owners: readonly Owned[], condition: Condition) => {
          const of = (given: string) => meant(owners, given)
          const displayed = rows.map(({ object, attributes }) => {
            const { city } = attributes
            return { object, attributes: city === undefined ? attributes : { ...attributes, city: of(String(city)) } }
          })
          return idsOf(answer(displayed, TYPES, { condition: plain(condition, 'city', of), order: [] }))
        }
        for (const condition of conditions)
          for (const name of [...VISITS, EITHER])
            for (const [way, found] of answers(name, condition)) {
              const owners = name === EITHER ? [City, Place] : [City]
              expect({ name, way, found }).toEqual({ name, way, found: expected(owners, condition) })
            }
        const cityRows = cities.map(object => ({ object, attributes: {} }))
        const condition = plain(ofCities, 'object', given => meant([City], given))
        const ofRows = idsOf(answer(cityRows, {}, { condition, order: [] }))
        for (const [way, found] of answers('City', ofCities)) expect({ way, found }).toEqual({ way, found: ofRows })
      },
    ),
    { numRuns: 60 },
  )
})
