import type { Mutation } from '@godwit/protocol'
import fc from 'fast-check'
import { attributes, batches, ids, objectMaps } from '../arbitraries.js'

const clients = fc.constantFrom('one', 'two')
const numbers = fc.integer({ min: 1, max: 5 })
const keys = fc.constantFrom(
  'key-0123456789-a',
  'key-0123456789-b',
  'key-0123456789-c',
  'key-0123456789-d',
  '__proto__',
)
const temporary = fc.constantFrom('t1', 't2')
const sizes = fc.integer({ min: 0, max: 4 })
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })

/** Numbers and keys from small pools: gaps, forks, moves and repeats all happen. */
const mutations: fc.Arbitrary<Mutation> = fc.record(
  {
    number: numbers,
    key: keys,
    operation: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
    object: fc.oneof(temporary, ids),
    attributes: attributes,
    was: attributes,
    seen: fc.integer({ min: 0, max: 3 }),
    owners: fc.array(temporary, { maxLength: 2 }),
    sent: fc.boolean(),
  },
  { requiredKeys: ['number', 'key', 'operation', 'object'] },
)

const kind = <Kind extends string>(name: Kind) => fc.constant(name)

const collectionQuestions = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ask: kind('apply'), batch: batches, guarded: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ask: kind('query'), answer: objectMaps, meanwhile: optional(batches) }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('compact'), below: fc.integer({ min: 0, max: 9 }), limit: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('drop') }) },
  { weight: 3, arbitrary: fc.record({ ask: kind('changes'), goOn: fc.boolean(), limit: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('list'), after: optional(ids), limit: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('look'), id: ids }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('schedule'), at: optional(sizes), fails: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('wait'), milliseconds: fc.integer({ min: 1, max: 300 }) }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('lease'), holder: clients }) },
)

const statuses = fc.constantFrom('applied' as const, 'applied' as const, 'refused' as const, 'conflict' as const)
const writes = fc.oneof(
  fc.record({ object: fc.oneof(ids, temporary), set: attributes }),
  fc.record({ object: ids, remove: fc.constant(true as const) }),
)

const journalQuestions = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ask: kind('accept'),
      client: clients,
      mutations: fc.uniqueArray(mutations, { maxLength: 4, selector: ({ key }) => key }),
      /** Numbered from the next one, as a well-behaved device does, instead of at random. */
      inLine: fc.integer({ min: 0, max: 5 }).map(dice => dice > 0),
      idempotent: fc.boolean(),
      contentless: fc.integer({ min: 0, max: 5 }).map(dice => dice === 0),
    }),
  },
  { weight: 6, arbitrary: fc.record({ ask: kind('start'), key: keys }) },
  {
    weight: 6,
    arbitrary: fc.record({
      ask: kind('settle'),
      key: keys,
      called: fc.boolean(),
      status: statuses,
      write: optional(writes),
      link: optional(ids),
      wanted: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: kind('release'),
      key: keys,
      to: fc.constantFrom('queued' as const, 'in_doubt' as const),
      retryIn: optional(sizes),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ask: kind('retry'), key: keys }) },
  { weight: 2, arbitrary: fc.record({ ask: kind('outcomes'), client: clients, after: sizes, limit: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('acknowledge'), client: clients, through: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('dropClient'), client: clients }) },
  { weight: 2, arbitrary: fc.record({ ask: kind('journal') }) },
)

/** One thing that is asked of a store; what it needs to know (an epoch, a fence) it remembers from earlier answers. */
export const questions = fc.oneof(
  { weight: 1, arbitrary: collectionQuestions },
  { weight: 1, arbitrary: journalQuestions },
)

export type Question = typeof questions extends fc.Arbitrary<infer Value> ? Value : never
