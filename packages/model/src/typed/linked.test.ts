import { verifies } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import type { Model } from '../database/models.js'
import { composeSdk } from '../open-sdk.js'
import { Sdk } from '../sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { DRIVERS, type DriverName, driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'

const City = defineModel('City', {
  sync: 'incremental',
  attributes: { name: t.string(), twinId: t.belongsTo('City', { as: 'twin' }).optional() },
})
const Visit = defineModel('Visit', {
  attributes: { cityId: t.belongsTo(City, { as: 'city' }), note: t.string().default('') },
})
const models = { City, Visit }

const directories = temporaryDirectories()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

async function open(driver: DriverName) {
  const options = { server: 'http://sync.test', fetch: new FakeServer().fetch, eventStream: false, models }
  const parts = composeSdk<typeof models>(await driveOn(driver, directories.make()), options)
  const sdk = new Sdk(parts)
  opened.push(sdk)
  const city = parts.registry.get('City') as Model
  /** As it came before its ids were linked. */
  const put = (object: string, attributes: Record<string, string>, model = 'City') =>
    (parts.registry.get(model) as Model).rows.put(object, { version: 1, pass: 1, attributes })
  const link = (temporary: string, real: string) => city.partition.links.add({ model: 'City', temporary, real })
  return { put, link, ...sdk.models }
}

test.each(DRIVERS)('relations follow chains of ids to the first that has a row, as get does, over %s', async driver => {
  verifies('behaviour.typed.links')

  const { put, link, ...sdk } = await open(driver)
  for (const [from, to] of ['ab', 'bc', 'cd', 'xy', 'yx', 'pq', 'qr'].map(pair => [...pair]))
    link(from as string, to as string)
  for (const id of ['d', 'q', 'r']) put(id, { name: `city ${id}` })
  const ids = [...'abcdxyzpqr']
  for (const cityId of ids) put(`visit ${cityId}`, { cityId, note: cityId }, 'Visit')
  const found = sdk.Visit.find({ with: { city: true } })
  expect(found.map(({ note, city }) => [note, city?.name])).toEqual(ids.map(id => [id, sdk.City.get(id)?.name]))
  expect(found.filter(({ city }) => city).map(({ note }) => note)).toEqual([...'abcdpqr'])
  expect(sdk.Visit.find({ conditions: { city: {} } }).map(({ note }) => note)).toEqual([...'abcdpqr'])
  expect(sdk.Visit.find({ conditions: { city: { name: 'city d' } } }).map(({ note }) => note)).toEqual([...'abcd'])
  expect(sdk.Visit.count({ conditions: { city: { id: 'a' } } })).toBe(4)
})

test.each(DRIVERS)('a relation of a model to itself loads the other row, over %s', async driver => {
  verifies('behaviour.typed.with')

  const { put, link, City } = await open(driver)
  for (const [from, to] of ['ab', 'bc', 'cd'].map(pair => [...pair])) link(from as string, to as string)
  put('d', { name: 'D' })
  put('e', { name: 'E', twinId: 'a' })
  put('f', { name: 'F', twinId: 'e' })
  const [f] = City.find({ conditions: { name: 'F' }, with: { twin: { with: { twin: true } } } })
  expect([f?.twin?.name, f?.twin?.twin?.name]).toEqual(['E', 'D'])
  expect(City.find({ conditions: { twin: { twin: { name: 'D' } } } }).map(({ name }) => name)).toEqual(['F'])
})
