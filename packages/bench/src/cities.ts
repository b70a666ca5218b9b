import { defineModel, t } from '@godwit/model'

const City = defineModel('City', {
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
const Visit = defineModel('Visit', { sync: 'incremental', attributes: { note: t.string().default('') } })

/** The models of the demo server, for devices in browsers and in Node. */
export const cities = { City, Visit }
