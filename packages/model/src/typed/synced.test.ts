import { afterEach, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'
import { FakeServer } from '../testing/fake-server.js'
import { temporaryDirectories } from '../testing/open-device.js'
import { models } from './models.fixture.js'

const directories = temporaryDirectories()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const visitedAt = new Date('2026-01-02T03:04:05.678Z')

async function loggedIn() {
  const server = new FakeServer()
  const options = { directory: directories.make(), server: 'http://sync.test', fetch: server.fetch, eventStream: false }
  const sdk = await openSdk({ ...options, models })
  opened.push(sdk)
  sdk.pollInterval = 0
  await sdk.login('ada', 'ada')
  return { server, sdk }
}

test('a live query with relations follows its rows, missing rows and real ids, and no others', async () => {
  const { server, sdk } = await loggedIn()
  const { City, Visit } = sdk.models
  const paris = City.create({ name: 'Paris', countryId: 'fr' })
  Visit.create({ cityId: paris.id, note: 'a', visitedAt })
  const seen: string[] = []
  const stop = Visit.observe({ with: { city: { select: ['name'] } }, select: ['note'] }, rows =>
    seen.push(rows.map(({ note, city }) => `${note} ${city?.name}`).join()),
  )
  const requested: string[] = []
  const others = Visit.observe({ conditions: { city: { name: 'Lutetia' } } }, rows =>
    requested.push(String(rows.length)),
  )
  City.create({ name: 'Rome', countryId: 'it' })
  expect(seen).toEqual(['a Paris'])
  City.update(paris.id, { name: 'Lutetia' })
  Visit.create({ cityId: 'later', note: 'b', visitedAt })
  expect(seen.slice(1)).toEqual(['a Lutetia', 'a Lutetia,b undefined'])
  server.decide = ({ operation }, source) =>
    operation === 'create' && source === 'City' ? { link: `real ${server.linked.size}` } : {}
  server.write('City', { later: { name: 'Oslo', country_id: 'no' } })
  await sdk.sync()
  expect(seen.at(-1)).toBe('a Lutetia,b Oslo')
  expect([...new Set(requested)]).toEqual(['0', '1'])
  expect(Visit.count({ conditions: { city: { id: paris.id } } })).toBe(1)
  stop()
  others()
})

test('values of a server that do not fit are counted, shown as their type, and not sent back', async () => {
  const { server, sdk } = await loggedIn()
  server.write('Visit', {
    v: { city_id: 7, rating: 'good', mood: 'so-so', visited_at: '2026-01-02T05:04:05.678999+02:00', more: 1 },
  })
  await sdk.sync()
  const { id, ...displayed } = sdk.models.Visit.find()[0] ?? { id: '' }
  expect(displayed).toEqual({ cityId: '7', note: '', tags: [], visitedAt })
  sdk.models.Visit.update(id, displayed)
  expect(sdk.changes()).toEqual([])
  expect(sdk.debug().models.find(({ name }) => name === 'Visit')).toMatchObject({
    invalidValues: { rating: 1, mood: 1 },
  })
  sdk.models.Visit.update(id, { rating: 3, mood: null })
  expect(sdk.changes()).toMatchObject([{ attributes: { rating: 3, mood: null } }])
  await sdk.sync()
  expect(server.pushes.at(-1)?.push.mutations).toMatchObject([{ was: { rating: 'good', mood: 'so-so' } }])
})

test('a refused change is retried, edited or dismissed', async () => {
  const { server, sdk } = await loggedIn()
  const { Visit } = sdk.models
  server.decide = ({ attributes }) =>
    attributes?.['note'] === 'no' ? { status: 'refused', code: 'refused', message: 'no' } : {}
  const refuse = async () => {
    Visit.create({ cityId: '1', note: 'no', visitedAt })
    await sdk.sync()
    const [refusal] = sdk.refused('Visit')
    if (!refusal) throw new Error('Nothing was refused.')
    return refusal
  }
  const first = await refuse()
  first.retry()
  expect([sdk.refused(), Visit.get(first.object)?.note]).toEqual([[], 'no'])
  await sdk.sync()
  sdk.refused('Visit')[0]?.dismiss()
  expect([sdk.refused(), Visit.count()]).toEqual([[], 0])
  const second = await refuse()
  second.edit({ note: 'yes', rating: 4 })
  expect([sdk.refused(), Visit.find()]).toMatchObject([[], [{ note: 'yes', rating: 4, cityId: '1' }]])
  await sdk.sync()
  expect(Object.values(server.live('Visit'))).toMatchObject([{ note: 'yes', city_id: '1', rating: 4 }])
  const { id } = Visit.find()[0] ?? { id: '' }
  Visit.update(id, { note: 'no' })
  await sdk.sync()
  const [update] = sdk.refused('Visit')
  update?.edit({ note: 'perhaps' })
  expect([sdk.refused(), Visit.get(id)?.note]).toEqual([[], 'perhaps'])
})

test('a full pass updates the word index at its end; a search meanwhile misses nothing', async () => {
  const { server, sdk } = await loggedIn()
  server.write(
    'City',
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`c${at}`, { name: `Town ${at}`, country_id: 'x' }])),
  )
  sdk.pageSize = 100
  const found: number[] = []
  server.after = request => {
    if (request === 'GET /app/v1/City') found.push(sdk.models.City.count({ search: 'town' }) - sdk.models.City.count())
  }
  await sdk.sync({ models: ['City'] })
  expect([...new Set(found)]).toEqual([0])
  expect(sdk.models.City.count({ search: 'town 29' })).toBe(11)
  server.write('City', { c29: null, c290: { name: 'Village', country_id: 'x' } })
  await sdk.sync({ models: ['City'] })
  expect([sdk.models.City.count({ search: 'town 29' }), sdk.models.City.count({ search: 'VILL' })]).toEqual([9, 1])
})
