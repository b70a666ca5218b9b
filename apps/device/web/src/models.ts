import { defineModel, t } from '@godwit/model'

/** The cities of the demo server: shared by all users, read only. */
export const City = defineModel('City', {
  partition: 'app',
  sync: 'incremental',
  storage: 'fixed',
  attributes: {
    name: t.string(),
    country: t.string(),
    population: t.integer(),
    latitude: t.float(),
    longitude: t.float(),
  },
  indexes: { byName: ['name'] },
  textSearch: ['name'],
})

/** A user's own visits to cities. */
export const Visit = defineModel('Visit', {
  sync: 'incremental',
  schemaVersion: 2,
  attributes: {
    cityId: t.belongsTo(City, { as: 'city', serverName: 'city_id' }),
    note: t.string().default(''),
    rating: t.integer().optional(),
    visitedAt: t.timestamp({ serverName: 'visited_at' }),
    photo: t.blob().optional(),
  },
})

const all = { City, Visit }
type All = typeof all
/** One name for all models, so that editors and errors show `AppModels`. */
export interface AppModels extends All {}
export const models: AppModels = all
