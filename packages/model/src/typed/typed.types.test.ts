import { expect, test } from '@jest/globals'
import type { BlobRef } from '../definition/attribute-types.js'
import type { PendingChange, Refusal, Sdk, SdkEvent } from '../index.js'
import { openSdk } from '../node.js'
import { defineModel } from './define-model.js'
import type { CreateOf, RowOf } from './infer.js'
import { City, Country, Employee, models, type Visit } from './models.fixture.js'
import { t } from './t.js'

// ── inferred types ──

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
const holds = <T extends true>(): T => true as T
type VisitRow = {
  readonly id: string
  readonly cityId: string
  readonly note: string
  readonly rating: number | undefined
  readonly mood: 'good' | 'bad' | undefined
  readonly tags: readonly string[]
  readonly photo: BlobRef | undefined
  readonly visitedAt: Date
}
holds<Equal<RowOf<typeof Visit>, VisitRow>>()

async function right(): Promise<void> {
  const sdk = await openSdk({ directory: 'data', server: 'http://localhost:8675', models })
  const visits = sdk.models.Visit
  const paris = sdk.models.City.create({ name: 'Paris', countryId: 'fr' })
  const visit = visits.create({ cityId: paris.id, visitedAt: new Date(), rating: undefined })
  visits.createMany([{ cityId: paris.id, visitedAt: new Date(), tags: visit.tags }])
  visits.update(visit.id, { note: 'rain', rating: null, mood: undefined })

  const all = visits.find()
  holds<Equal<typeof all, readonly VisitRow[]>>()
  const notes = visits.find({ select: ['note'] })
  holds<Equal<typeof notes, readonly { readonly id: string; readonly note: string }[]>>()
  const nested = visits.find({ select: ['note'], with: { city: { with: { country: true }, select: ['name'] } } })
  holds<
    Equal<
      (typeof nested)[0],
      {
        readonly id: string
        readonly note: string
        readonly city:
          | {
              readonly id: string
              readonly name: string
              readonly country:
                | { readonly id: string; readonly name: string; readonly capitalId: string | undefined }
                | undefined
            }
          | undefined
      }
    >
  >()
  const chain = sdk.models.Employee.find({ with: { manager: { with: { manager: true } } } }).map(
    one => one.manager?.manager,
  )
  holds<Equal<typeof chain, (RowOf<typeof Employee> | undefined)[]>>()
  const circle = sdk.models.City.get('1', { with: { country: { with: { capital: { select: [] } } } } })
  const capital: { readonly id: string } | undefined = circle?.country?.capital

  visits.find({
    conditions: {
      rating: { '>=': 4, in: [4, 5] },
      mood: { in: ['good'] },
      note: { like: 'a%' },
      visitedAt: { '>': new Date(0) },
      cityId: { in: ['1', '2'] },
      city: { name: 'Paris', country: { name: { '<>': 'Spain' } } },
      or: [{ rating: null }, { id: 'x' }],
      sql: ['length(note) > ?', 10],
    },
    order: { visitedAt: 'desc' },
    limit: undefined,
  })
  visits.find({ order: { rating: 'desc', id: 'asc' } })
  sdk.models.City.find({ search: 'par', select: ['name'] })
  visits.count({ conditions: { rating: { '>=': 4 } } })
  visits.paginate({ page: 0, perPage: 20, with: { city: true } })[0]?.city?.name.toUpperCase()
  visits.updateMany({ rating: null }, { rating: 3 })
  visits.destroyMany({ mood: 'bad' })
  const stop: () => void = visits.observe({ with: { city: true } }, rows => rows[0]?.city?.population.toFixed())
  const best = sdk.sql.all<{ name: string; visits: number }>('SELECT name, count(*) visits FROM Visit …', [new Date()])
  const quick = sdk.sql.first<{ n: number }>('SELECT 1 n', [], { timeoutMilliseconds: 50 })
  holds<Equal<typeof quick, { n: number } | undefined>>()
  holds<Equal<typeof best, readonly { name: string; visits: number }[]>>()
  const summary = await sdk.sync({ models: ['Visit'] })
  const source: 'City' | 'Country' | 'Employee' | 'Visit' | undefined = summary.sources[0]?.source
  for (const refusal of sdk.refused()) if (refusal.model === 'City') refusal.edit({ population: 1 })
  await sdk.bulkSync({ sources: ['City'] })
  await sdk.searchBackends({ sources: 'City', search: { name: 'par' } })
  for await (const event of sdk.events()) if (event.kind === 'source' && event.source === 'Visit') break
  const [change, refusal]: readonly [PendingChange | undefined, Refusal | undefined] = [
    sdk.changes('Visit')[0],
    sdk.refused()[0],
  ]
  const reported = async (one: Sdk<typeof models>): Promise<SdkEvent | undefined> =>
    (await one.events().next()).value ?? undefined
  sdk.changes('a model of NewORMModel')
  const draft: CreateOf<typeof Visit> = { cityId: '1', visitedAt: new Date() }
  void [stop, capital, source, draft, change, refusal, reported]
}

// ── code that must not compile ──

async function wrong(): Promise<void> {
  const sdk = await openSdk({ directory: 'data', server: 'http://localhost:8675', models })
  const { City: cities, Visit: visits } = sdk.models
  const visitedAt = new Date()
  // @ts-expect-error no such attribute of the city
  for (const refusal of sdk.refused()) if (refusal.model === 'City') refusal.edit({ note: 'x' })
  // @ts-expect-error required and missing
  visits.create({ cityId: '1' })
  // @ts-expect-error a required attribute cannot be undefined
  visits.create({ cityId: undefined, visitedAt })
  // @ts-expect-error no such attribute
  visits.create({ cityId: '1', visitedAt, comment: '' })
  // @ts-expect-error a Date is wanted
  visits.create({ cityId: '1', visitedAt: '2026-01-01' })
  // @ts-expect-error null is for changes
  visits.create({ cityId: '1', visitedAt, rating: null })
  // @ts-expect-error a required attribute cannot be removed
  visits.update('1', { visitedAt: null })
  // @ts-expect-error no such attribute
  visits.update('1', { comment: 'x' })
  // @ts-expect-error not one of the values
  visits.update('1', { mood: 'so-so' })
  // @ts-expect-error not selected
  visits.find({ select: ['note'] })[0]?.rating
  // @ts-expect-error no such attribute
  visits.find({ select: ['note', 'comment'] })
  // @ts-expect-error not loaded by `with`
  visits.find()[0]?.city
  // @ts-expect-error the city may not be on this device
  visits.find({ with: { city: true } })[0]?.city.name
  // @ts-expect-error no such relation
  visits.find({ with: { city: true, town: true } })
  // @ts-expect-error no such relation of the city
  visits.find({ with: { city: { with: { country: true, town: true } } } })
  // @ts-expect-error no such attribute of the city
  visits.find({ with: { city: { select: ['note'] } } })
  // @ts-expect-error no such option
  visits.find({ with: { city: { where: {} } } })
  // @ts-expect-error no such option, although another one is valid
  visits.find({ with: { city: { select: ['name'], where: {} } } })
  // @ts-expect-error undefined would find everything (refused when it runs, too: not all have exactOptionalPropertyTypes)
  visits.find({ conditions: { cityId: undefined } })
  // @ts-expect-error no such option
  visits.find({ conditons: { rating: 5 } })
  // @ts-expect-error no such attribute
  visits.find({ conditions: { comment: 'x' } })
  // @ts-expect-error `like` is only for text
  visits.find({ conditions: { rating: { like: '4%' } } })
  // @ts-expect-error a number cannot be compared with text
  visits.find({ conditions: { rating: { '>=': '4' } } })
  // @ts-expect-error a Date is wanted
  visits.find({ conditions: { visitedAt: { '>': '2026-01-01' } } })
  // @ts-expect-error no such operator
  visits.find({ conditions: { rating: { gte: 4 } } })
  // @ts-expect-error an attribute with a default is never absent
  visits.find({ conditions: { note: null } })
  // @ts-expect-error JSON has no conditions
  visits.find({ conditions: { tags: ['x'] } })
  // @ts-expect-error no such attribute of the city
  visits.find({ conditions: { city: { note: 'x' } } })
  // @ts-expect-error no such attribute to order by
  visits.find({ order: { comment: 'asc' } })
  // @ts-expect-error no such direction
  visits.find({ order: { note: 'up' } })
  // @ts-expect-error Visit has no textSearch
  visits.find({ search: 'par' })
  // @ts-expect-error rows are read-only
  cities.create({ name: 'Paris', countryId: 'fr' }).name = 'Rome'
  // @ts-expect-error rows are read-only at every level
  visits.get('1')?.tags.push('x')
  // @ts-expect-error no such model
  sdk.models.Town
  // @ts-expect-error no such model
  sdk.sync({ models: ['Town'] })
  // @ts-expect-error no such model
  sdk.bulkSync({ sources: ['Town'] })
  // @ts-expect-error no such model
  sdk.search({ sources: ['Town'], search: {} })
  // @ts-expect-error no such model
  for await (const event of sdk.events()) if (event.kind === 'source' && event.source === 'Town') break
  // @ts-expect-error a Date cannot be compared with a number
  visits.find({ conditions: { visitedAt: 0 } })
  // @ts-expect-error SQL returns no Dates
  sdk.sql.all<{ visitedAt: Date }>('SELECT visitedAt FROM Visit')
  // @ts-expect-error a limit is a number
  sdk.sql.all('SELECT 1', [], { timeoutMilliseconds: '50' })
}
function wrongModels(): void {
  const options = { directory: 'data', server: '/' }
  // @ts-expect-error City belongs to Country
  openSdk({ ...options, models: { City } })
  // @ts-expect-error the key must be the model's name
  openSdk({ ...options, models: { Town: Country, City } })
  // @ts-expect-error reserved
  defineModel('Bad', { attributes: { id: t.string() } })
  // @ts-expect-error JSON needs .optional() or .default(v)
  defineModel('Bad', { attributes: { tags: t.json<string[]>() } })
  // @ts-expect-error JSON cannot contain a Date
  t.json<{ at: Date }>().default({ at: new Date() })
  // @ts-expect-error `optional` and `default` exclude each other
  defineModel('Bad', { attributes: { name: t.string().optional().default('') } })
  // @ts-expect-error the index names an unknown attribute
  defineModel('Bad', { attributes: { name: t.string() }, indexes: { byTitle: ['title'] } })
  // @ts-expect-error only text attributes can be searched
  defineModel('Bad', { attributes: { name: t.string(), size: t.integer() }, textSearch: ['size'] })
  defineModel('Good', {
    attributes: { name: t.string() },
    migrate(_old, _new, database) {
      for (const { id, attributes } of database.objects()) {
        // @ts-expect-error old values are unknown
        database.change(id, { name: attributes['title'] })
        // @ts-expect-error no such attribute
        database.change(id, { title: '' })
      }
      // @ts-expect-error required and missing
      database.create({})
    },
  })
  // @ts-expect-error a number is wanted
  t.integer().default('0')
}

test('types are inferred, and misuse does not compile', () => {
  expect([right, wrong, wrongModels, City, Country, Employee].length).toBe(6)
})
