import { defineModel } from './define-model.js'
import { t } from './t.js'

export const Country = defineModel('Country', {
  partition: 'app',
  attributes: { name: t.string(), capitalId: t.belongsTo('City', { as: 'capital' }).optional() },
})
export const City = defineModel('City', {
  partition: 'app',
  sync: 'incremental',
  attributes: {
    name: t.string(),
    countryId: t.belongsTo(Country, { as: 'country', serverName: 'country_id' }),
    population: t.integer().default(0),
    capital: t.boolean().default(false),
  },
  indexes: { byName: ['name'], once: { attributes: ['name', 'countryId'], unique: true } },
  textSearch: ['name'],
})
export const Employee = defineModel('Employee', {
  attributes: { name: t.string(), managerId: t.belongsTo('Employee', { as: 'manager' }).optional() },
})
export const Visit = defineModel('Visit', {
  sync: 'incremental',
  attributes: {
    cityId: t.belongsTo(City, { as: 'city', serverName: 'city_id' }),
    /** What the visitor wrote. */
    note: t.string().default(''),
    rating: t.integer().optional(),
    mood: t.enum(['good', 'bad']).optional(),
    tags: t.json<string[]>().default([]),
    photo: t.blob({ overwrite: true }).optional(),
    visitedAt: t.timestamp({ serverName: 'visited_at' }),
  },
})

const all = { City, Country, Employee, Visit }
type All = typeof all
/** A name for all models: hovers and errors say `TypedModel<"Visit", AppModels>`. */
export interface AppModels extends All {}
export const models: AppModels = all
