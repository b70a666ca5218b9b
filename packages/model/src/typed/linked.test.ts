import { afterEach, expect, test } from '@jest/globals'
import type { OpenModel } from '../database/open-models.js'
import type { Drive, SqlValue } from '../platform/driver.js'
import { composeSdk } from '../sdk/open-sdk.js'
import { Sdk } from '../sdk/sdk.js'
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

/** Returns a drive that records each statement that reads. */
function recording(drive: Drive, statements: string[]): Drive {
  return {
    ...drive,
    open(file) {
      const driver = drive.open(file)
      const prepare: typeof driver.prepare = sql => {
        const statement = driver.prepare(sql)
        const recorded =
          <R>(read: (...values: readonly SqlValue[]) => R) =>
          (...values: readonly SqlValue[]): R => {
            statements.push(sql)
            return read(...values)
          }
        const { get, all, arrays, iterate } = statement
        return {
          ...statement,
          get: recorded(get),
          all: recorded(all),
          arrays: recorded(arrays),
          iterate: recorded(iterate),
        }
      }
      return { ...driver, prepare }
    },
  }
}

async function open(driver: DriverName, statements: string[] = []) {
  const options = { server: 'http://sync.test', fetch: new FakeServer().fetch, eventStream: false, models }
  const parts = composeSdk<typeof models>(recording(await driveOn(driver, directories.make()), statements), options)
  const sdk = new Sdk(parts)
  opened.push(sdk)
  const city = parts.registry.get('City') as OpenModel
  /** Stores a row as received before its ids were linked. */
  const put = (object: string, attributes: Record<string, string>, model = 'City') =>
    (parts.registry.get(model) as OpenModel).rows.put(object, { version: 1, pass: 1, attributes })
  const link = (temporary: string, real: string) => city.scope.links.add({ model: 'City', temporary, real })
  return { put, link, ...sdk.models }
}

test.each(DRIVERS)('relations follow chains of ids to the first that has a row, as get does, over %s', async driver => {
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

test.each(DRIVERS)('a query with relations is one statement, however many rows it finds, over %s', async driver => {
  const statements: string[] = []
  const { put, ...sdk } = await open(driver, statements)
  const cost = () => {
    statements.length = 0
    const found = sdk.Visit.find({
      with: { city: { with: { twin: true } } },
      conditions: { city: { name: { '<>': 'nowhere' } } },
      order: { note: 'asc' },
    })
    return [found.length, statements.filter(sql => sql.includes('Visit')).length, statements.length]
  }
  put('c', { name: 'Paris', twinId: 'd' })
  put('d', { name: 'Rome' })
  put('v', { cityId: 'c', note: 'one' }, 'Visit')
  const [one, of, all] = cost()
  for (let index = 0; index < 200; index++) put(`v${index}`, { cityId: index % 2 ? 'c' : 'd', note: 'x' }, 'Visit')
  expect([one, of]).toEqual([1, 1])
  expect(cost()).toEqual([201, 1, all])
})

test.each(DRIVERS)('a relation of a model to itself loads the other row, over %s', async driver => {
  const { put, link, City } = await open(driver)
  for (const [from, to] of ['ab', 'bc', 'cd'].map(pair => [...pair])) link(from as string, to as string)
  put('d', { name: 'D' })
  put('e', { name: 'E', twinId: 'a' })
  put('f', { name: 'F', twinId: 'e' })
  const [f] = City.find({ conditions: { name: 'F' }, with: { twin: { with: { twin: true } } } })
  expect([f?.twin?.name, f?.twin?.twin?.name]).toEqual(['E', 'D'])
  expect(City.find({ conditions: { twin: { twin: { name: 'D' } } } }).map(({ name }) => name)).toEqual(['F'])
})
