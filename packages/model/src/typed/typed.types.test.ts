import { expect, test } from '@jest/globals'
import type { Sdk } from '../sdk.js'
import { defineModel } from './define-model.js'
import type { RowOf } from './infer.js'

const City = defineModel('City', {
  partition: 'app',
  sync: 'incremental',
  storage: 'fixed',
  indexes: { byName: ['name'], once: { attributes: ['name', 'population'], unique: true } },
  attributes: { name: { type: 'string', default: '' }, population: 'integer', capital: 'boolean' },
})
const Visit = defineModel('Visit', {
  attributes: { city: { belongsTo: 'City' }, note: { type: 'string', default: '' }, weight: 'float' },
})

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Flat<T> = { [Name in keyof T]: T[Name] }
const holds = <T extends true>(): T => true as T

holds<
  Equal<
    Flat<RowOf<typeof City.specs>>,
    {
      readonly object: string
      readonly name: string
      readonly population?: number
      readonly capital?: boolean
    }
  >
>()
holds<
  Equal<
    Flat<RowOf<typeof Visit.specs>>,
    { readonly object: string; readonly city?: string; readonly note: string; readonly weight?: number }
  >
>()

// What must not compile. Each line fails the type check when its error is missing; nothing here is ever called.
export function wrong(sdk: Sdk<{ City: typeof City; Visit: typeof Visit }>): void {
  const { City: cities, Visit: visits } = sdk.models
  // @ts-expect-error no such model
  sdk.models.Town
  // @ts-expect-error no such attribute
  cities.create({ title: 'Paris' })
  // @ts-expect-error a number is wanted
  cities.create({ population: '2' })
  // @ts-expect-error null is for changes only
  cities.create({ name: null })
  // @ts-expect-error rows are read-only
  cities.create({ name: 'Paris' }).name = 'Rome'
  // @ts-expect-error it may be missing
  cities.first()?.population.toFixed()
  // @ts-expect-error there may be no such row
  cities.get('1').name
  // @ts-expect-error no such attribute in a condition
  cities.find({ conditions: { title: 'Paris' } })
  // @ts-expect-error text is not compared with a number
  cities.find({ conditions: { name: { '>=': 5 } } })
  // @ts-expect-error no such attribute to order by
  cities.find({ order: { title: 'ASC' } })
  // @ts-expect-error no such direction
  cities.find({ order: { name: 'UP' } })
  // @ts-expect-error no such attribute to select
  cities.find({ select: ['title'] })
  // @ts-expect-error ids are text
  visits.create({ city: 5 })
  // @ts-expect-error a row of another model
  visits.observe({}, rows => rows[0]?.population)
  // @ts-expect-error an index over an attribute that is not there
  defineModel('Bad', { attributes: { name: 'string' }, indexes: { byTitle: ['title'] } })
  // @ts-expect-error no such type
  defineModel('Bad', { attributes: { name: 'date' } })
}

test('a default makes an attribute sure; every wrong use above fails the type check', () => {
  expect(typeof wrong).toBe('function')
  expect(City.definition.attributes.get('name')).toMatchObject({ type: 'String', default: '' })
})
