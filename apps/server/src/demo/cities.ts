import { defineSource, refusal } from '@godwit/server'
import { type City, readCities } from './city-file.js'

/** Refuses a write of a device. */
export const readOnly = (): never => {
  throw refusal('Cities are the same for everybody and cannot be changed from a device.')
}

/** The cities of the world, shared by all users. */
export const cities = defineSource<City>({
  name: 'City',
  partition: 'app',
  pollInterval: 24 * 3600,
  syncPriority: 1,
  query: () => readCities(),
  create: readOnly,
  update: readOnly,
  delete: readOnly,
})
