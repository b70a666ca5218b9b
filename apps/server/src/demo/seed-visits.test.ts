import { expect, test } from '@jest/globals'
import { DEMO_LOGINS } from '../first-start.js'
import { readCities } from './city-file.js'
import { seedVisits } from './seed-visits.js'
import { openVisitBackend } from './visit-backend.js'

test('each demo user begins with three visits, to the cities that their notes name', async () => {
  const names = new Map<unknown, string>()
  for await (const part of readCities()) for (const [id, { name }] of Object.entries(part)) names.set(id, name)
  const backend = openVisitBackend(':memory:')
  seedVisits(backend)
  for (const login of DEMO_LOGINS) {
    const visits = Object.values(backend.visitsOf(login))
    expect(visits).toHaveLength(3)
    for (const { city_id, note } of visits) expect(note).toMatch(new RegExp(`^${names.get(city_id)}: `))
  }
})

test('a visit that was removed stays removed at the next start', () => {
  const backend = openVisitBackend(':memory:')
  seedVisits(backend)
  const [first = ''] = Object.keys(backend.visitsOf('ada'))
  backend.remove('ada', first, 'remove')
  seedVisits(backend)
  expect(Object.keys(backend.visitsOf('ada'))).toHaveLength(2)
})
