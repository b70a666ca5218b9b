import { defineModel } from '@godwit/model'

/** The cities of the demo server: shared by all users, read only. */
export const City = defineModel('City', {
  partition: 'app',
  sync: 'incremental',
  storage: 'fixed',
  indexes: { byName: ['name'] },
  attributes: {
    name: { type: 'string', default: '' },
    country: { type: 'string', default: '' },
    population: 'integer',
    latitude: 'float',
    longitude: 'float',
  },
})

/** A user's own visits to cities. */
export const Visit = defineModel('Visit', {
  partition: 'user',
  sync: 'incremental',
  attributes: {
    city_id: { belongsTo: 'City' },
    note: { type: 'string', default: '' },
    rating: 'integer',
    visited_at: 'string',
  },
})
