import { afterEach, describe, expect, test } from '@jest/globals'
import type { SdkEvent } from '../events/sdk-events.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import type { RecordRow, Records } from './records.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const CITY = definition('City')
const VISIT = definition('Visit', { belongsTo: { city: 'City' } })

/** Opens a device that created a city and a visit to it, whose real ids are c1 and v1. */
async function withVisit() {
  const server = new FakeServer()
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, [CITY, VISIT])
  opened.push(device)
  const events: SdkEvent[] = []
  device.parts.events.listen(event => events.push(event))
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
  server.decide = ({ operation }, source) => (operation === 'create' ? { link: source === 'City' ? 'c1' : 'v1' } : {})
  const [cities, visits] = [device.device.find('City') as Records, device.device.find('Visit') as Records]
  const city = cities.insert({ name: 'Paris' }).object
  const visit = visits.insert({ city, note: 'by train' }).object
  return { ...device, server, events, cities, visits, city, visit }
}

const equal = (attribute: string, value: string) =>
  ({ condition: { kind: 'compare', attribute, operator: '=', value }, order: [] }) as const

function watch(records: Records, attribute: string, value: string): string[][] {
  const seen: string[][] = []
  records.observe(equal(attribute, value), (rows: readonly RecordRow[]) => seen.push(rows.map(({ object }) => object)))
  return seen
}

describe('an object whose temporary id became a real one', () => {
  test('is found by either id, as itself and as an owner, and live queries keep showing it', async () => {
    const { sdk, cities, visits, city, visit } = await withVisit()
    const [displayedCity, displayedVisits] = [watch(cities, 'object', city), watch(visits, 'city', city)]
    await sdk.sync()
    for (const id of [city, 'c1']) {
      expect(cities.read(equal('object', id)).map(({ object }) => object)).toEqual(['c1'])
      expect(visits.read(equal('city', id)).map(({ object }) => object)).toEqual(['v1'])
      expect(visits.count(equal('city', id))).toBe(1)
    }
    expect(displayedCity).toEqual([[city], ['c1']])
    expect(displayedVisits.at(0)).toEqual([visit])
    expect(displayedVisits.at(-1)).toEqual(['v1'])
    expect(displayedVisits).not.toContainEqual([])
    expect(visits.destroyAll(equal('city', city))).toBe(1)
  })

  test('has one id for patterns and comparisons: the one that its row shows', async () => {
    const { sdk, cities, visits, city } = await withVisit()
    await sdk.sync()
    const like = (attribute: string, value: string) =>
      ({ condition: { kind: 'compare', attribute, operator: 'LIKE', value }, order: [] }) as const
    expect(visits.read(like('city', 'c1%')).map(({ attributes }) => attributes['city'])).toEqual(['c1'])
    expect([cities.count(like('object', 'c%')), cities.count(like('object', `${city.slice(0, 8)}%`))]).toEqual([1, 0])
  })

  test('joins the live queries that name either id, though no row is written', async () => {
    const { sdk, server, cities, visits, city, visit, events } = await withVisit()
    server.write('Visit', { theirs: { city: 'c1' } })
    await sdk.sync('Visit')
    const [byTemporary, byReal] = [watch(visits, 'city', city), watch(visits, 'city', 'c1')]
    const sql: string[][] = []
    const condition = { kind: 'sql', sql: `city = '${city}' OR note = ?`, values: ['x'] } as const
    visits.observe({ condition, order: [] }, rows => sql.push(rows.map(({ object }) => object)))
    await sdk.sync('City')
    expect(byTemporary.at(-1)?.toSorted()).toEqual([visit, 'theirs'].toSorted())
    expect(byReal.at(-1)?.toSorted()).toEqual([visit, 'theirs'].toSorted())
    expect(sql.at(-1)?.toSorted()).toEqual([visit, 'theirs'].toSorted())
    expect(cities.get(city)?.object).toBe('c1')
    expect(events).toContainEqual({ kind: 'renamed', model: 'City', from: city, to: 'c1' })
  })

  test('stays findable by its temporary id after a reset, until another user logs in', async () => {
    const { sdk, cities, visits, city } = await withVisit()
    await sdk.sync()
    sdk.databaseFullReset()
    expect(cities.read(equal('object', city))).toEqual([])
    await sdk.sync()
    expect(cities.get(city)?.object).toBe('c1')
    expect(visits.read(equal('city', city)).map(({ object }) => object)).toEqual(['v1'])
    sdk.databaseClientReset()
    await sdk.sync()
    expect(cities.read(equal('object', city)).map(({ object }) => object)).toEqual(['c1'])
    await sdk.login('grace', 'grace')
    await sdk.sync()
    expect(cities.get('c1')).toBeDefined()
    expect(cities.get(city)).toBeUndefined()
    expect(cities.read(equal('object', city))).toEqual([])
  })

  test('is found by each of its ids after it was recreated under another', async () => {
    const { sdk, server, cities, city } = await withVisit()
    await sdk.sync()
    cities.destroy(city)
    await sdk.sync()
    server.decide = () => ({ link: 'c2' })
    cities.insert({ name: 'Paris' }, 'c1')
    await sdk.sync()
    for (const id of [city, 'c1', 'c2']) {
      expect(cities.get(id)?.object).toBe('c2')
      expect(cities.read(equal('object', id)).map(({ object }) => object)).toEqual(['c2'])
    }
  })

  test('is still found when its model moves to another partition', async () => {
    const { sdk, device, cities, city } = await withVisit()
    await sdk.sync()
    device.define({ ...CITY, partition: 'app' })
    expect(cities.get(city)?.object).toBe('c1')
    expect(cities.read(equal('object', city)).map(({ object }) => object)).toEqual(['c1'])
  })

  test('is reported by object notifications that were set for its temporary id', async () => {
    const { sdk, server, city } = await withVisit()
    const reported: string[] = []
    sdk.setObjectNotification(({ updated }) => reported.push(...updated.map(({ object }) => object)))
    sdk.addObjectNotify('City', city)
    await sdk.sync()
    server.write('City', { c1: { name: 'Lutetia' }, other: { name: 'Rome' } })
    await sdk.sync()
    expect(new Set(reported.splice(0))).toEqual(new Set(['c1']))
    sdk.removeObjectNotify('City', 'c1')
    sdk.addObjectNotify('City', 'another')
    server.write('City', { c1: { name: 'Paris' } })
    await sdk.sync()
    expect(reported).toEqual([])
  })
})
