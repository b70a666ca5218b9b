import { type Attributes, emptyRecord, type ObjectMap } from '@godwit/protocol'
import fc from 'fast-check'
import type { Batch } from '../collections.js'

/** Few ids, so that changes meet; some become equal once lone surrogates are replaced. */
export const ids = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  '__proto__',
  'constructor',
  '😀',
  '\ufffd',
  '\ud800',
  '\uffff',
  '\0',
)

const names = fc.constantFrom('x', 'y', '__proto__', 'constructor', '', 'toString', '\ud83d', '\n')

const hostileValue = JSON.parse('{"__proto__":{"x":1},"constructor":null}') as Attributes

const values = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 2 }) },
  fc.constantFrom(null, '', '0', 'a', '\ud800', true, 1.5, [], [null], {}, hostileValue),
)

const recordOf = <Value>(entries: readonly (readonly [string, Value])[]) =>
  Object.assign(emptyRecord<Value>(), Object.fromEntries(entries))

export const attributes: fc.Arbitrary<Attributes> = fc
  .array(fc.tuple(names, values), { maxLength: 3 })
  .map(entries => recordOf(entries))

export const objectMaps: fc.Arbitrary<ObjectMap> = fc
  .array(fc.tuple(ids, attributes), { maxLength: 4 })
  .map(entries => recordOf(entries))

const fewNames = fc.array(names, { maxLength: 3 })

export const batches: fc.Arbitrary<Batch> = fc.record(
  {
    removeAttributes: fc.array(fc.tuple(ids, fewNames), { maxLength: 2 }).map(entries => recordOf(entries)),
    replace: objectMaps,
    merge: objectMaps,
    remove: fc.array(ids, { maxLength: 2 }),
  },
  { requiredKeys: [] },
)

export const batchLists: fc.Arbitrary<readonly Batch[]> = fc.array(batches, { maxLength: 12 })

const fewBatches = fc.array(batches, { maxLength: 3 })

/** A query and concurrent writes. */
export interface Race {
  readonly earlier: readonly Batch[]
  /** Writes between the start of the query and the end of its result. */
  readonly meanwhile: readonly Batch[]
  readonly answer: ObjectMap
}

export const races: fc.Arbitrary<Race> = fc.record({ earlier: fewBatches, meanwhile: fewBatches, answer: objectMaps })

/** A content, the lengths of its parts, and a range to read. */
export interface PartCuts {
  readonly content: Uint8Array
  readonly lengths: Iterator<number>
  readonly offset: number
  readonly length: number
}

export const cuts: fc.Arbitrary<PartCuts> = fc.record({
  content: fc.uint8Array({ maxLength: 200 }),
  lengths: fc.infiniteStream(fc.nat(40)),
  offset: fc.nat(220),
  length: fc.nat(220),
})
