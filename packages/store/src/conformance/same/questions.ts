import type { Mutation } from '@godwit/protocol'
import fc from 'fast-check'
import { attributes, batches, ids, objectMaps } from '../arbitraries.js'

const clients = fc.constantFrom('one', 'two')
const numbers = fc.integer({ min: 1, max: 5 })
const keys = fc.constantFrom(...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => `key-0123456789-${name}`), '__proto__')
const temporary = fc.constantFrom('t1', 't2')
const sizes = fc.integer({ min: 0, max: 4 })
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })

const identity = { number: numbers, key: keys }
const content = { attributes, was: attributes, seen: fc.integer({ min: 0, max: 3 }), sent: fc.boolean() }
const owners = fc.array(temporary, { minLength: 1, maxLength: 2 })

/** Numbers and keys from small pools, so that gaps, forks, moves and repeats occur. */
const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record(
    { ...identity, ...content, operation: fc.constant('create' as const), object: temporary },
    { requiredKeys: ['number', 'key', 'operation', 'object'] },
  ),
  fc.record(
    { ...identity, ...content, operation: fc.constantFrom('update' as const, 'delete' as const), object: ids },
    { requiredKeys: ['number', 'key', 'operation', 'object'] },
  ),
  fc.record(
    { ...identity, ...content, operation: fc.constant('update' as const), object: fc.oneof(ids, temporary), owners },
    { requiredKeys: ['number', 'key', 'operation', 'object'] },
  ),
)

/** Selects one of the suitable mutations. */
const which = fc.integer({ min: 0, max: 9 })

const kind = <Kind extends string>(name: Kind) => fc.constant(name)

const cursors = fc.constantFrom(null, 'one', 'two')

/** `back`: how many versions before the head the changes were requested. */
const advances = fc.record({
  ask: kind('advance'),
  batch: batches,
  back: sizes,
  fence: fc.integer({ min: 1, max: 3 }),
  reader: fc.constantFrom('changes', 'feed'),
  cursor: optional(fc.record({ previous: cursors, next: cursors })),
  end: optional(fc.record({ queriesRequested: sizes, nextQueryIn: sizes, nextQueryBefore: fc.constant(undefined) })),
})

const collectionQuestions = fc.oneof(
  { weight: 14, arbitrary: fc.record({ ask: kind('apply'), batch: batches, guarded: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ask: kind('query'), answer: objectMaps, meanwhile: optional(batches) }) },
  { weight: 5, arbitrary: advances },
  { weight: 1, arbitrary: fc.record({ ask: kind('compact'), below: fc.integer({ min: 0, max: 9 }), limit: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('drop') }) },
  { weight: 4, arbitrary: fc.record({ ask: kind('changes'), goOn: fc.boolean(), limit: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('list'), after: optional(ids), limit: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('look'), id: ids }) },
  { weight: 2, arbitrary: fc.record({ ask: kind('history'), id: ids, limit: sizes.map(size => size + 1) }) },
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
      /** Numbers from the next one on, like a real device, instead of random ones. */
      inLine: fc.integer({ min: 0, max: 5 }).map(dice => dice > 0),
      idempotent: fc.boolean(),
      contentless: fc.integer({ min: 0, max: 5 }).map(dice => dice === 0),
    }),
  },
  { weight: 8, arbitrary: fc.record({ ask: kind('start'), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      ask: kind('settle'),
      which,
      called: fc.integer({ min: 0, max: 3 }).map(dice => dice > 0),
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
      which,
      to: fc.constantFrom('queued' as const, 'in_doubt' as const),
      retryIn: optional(sizes),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ask: kind('retry'), which }) },
  { weight: 2, arbitrary: fc.record({ ask: kind('outcomes'), client: clients, after: sizes, limit: sizes }) },
  { weight: 2, arbitrary: fc.record({ ask: kind('page'), client: clients, after: sizes, limit: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('acknowledge'), client: clients, through: sizes }) },
  { weight: 1, arbitrary: fc.record({ ask: kind('dropClient'), client: clients }) },
  { weight: 2, arbitrary: fc.record({ ask: kind('journal') }) },
)

/** A call of a store; epochs and fences come from earlier answers. */
const questions = fc.oneof({ weight: 1, arbitrary: collectionQuestions }, { weight: 2, arbitrary: journalQuestions })

export type Question = typeof questions extends fc.Arbitrary<infer Value> ? Value : never

export const histories: fc.Arbitrary<readonly Question[]> = fc.array(questions, {
  minLength: 1,
  maxLength: 40,
  size: 'max',
})
