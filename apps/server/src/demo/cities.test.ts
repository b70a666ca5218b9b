import type { WriteContext } from '@godwit/server'
import { expect, test } from '@jest/globals'
import { cities } from './cities.js'
import type { City } from './city-file.js'

const { methods } = cities
const context = {} as WriteContext

test.each([
  ['create', () => methods.create?.({} as City, context)],
  ['update', () => methods.update?.('1', {}, context)],
  ['delete', () => methods.delete?.('1', context)],
])('a device that wants to %s a city is refused in clear words', (_, write) => {
  expect(write).toThrow('Cities are the same for everybody and cannot be changed from a device.')
})

test('cities are one copy for all users, queried once a day', () => {
  expect(cities).toMatchObject({ name: 'City', partition: 'app', pollInterval: 86_400 })
})
