import { afterEach, describe, expect, test } from '@jest/globals'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

/** Opens a device with notes that belong to a city or a person. The server assigns the same ids to cities and people. */
async function withNotes(directory = directories.make()) {
  const server = new FakeServer()
  const device = openOn(await driveOn('better-sqlite3', directory), server)
  opened.push(device)
  for (const name of ['City', 'Person']) device.sdk.addModel(name, model => model.enable('sync'))
  const define = (name: string, syncs: boolean) =>
    device.sdk.addModel(name, model => {
      if (syncs) model.enable('sync')
      model.setBelongsTo('of', 'City')
      model.setBelongsTo('of', 'Person')
      model.setBelongsTo('of', 'City')
    })
  const [note, draft] = [define('Note', true), define('Draft', false)]
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
  let count = 0
  server.decide = ({ operation }, source) => (operation === 'create' && source !== 'Note' ? { link: `${++count}` } : {})
  const of = (name: string) => device.device.find(name) as Records
  return {
    ...device,
    server,
    note,
    draft,
    cities: of('City'),
    people: of('Person'),
    notes: of('Note'),
    drafts: of('Draft'),
  }
}

const STATES = ['nothing', 'row', 'link', 'create'] as const
type State = (typeof STATES)[number]
const PAIRS = STATES.flatMap(city => STATES.map(person => [city, person] as const))

const named = (records: Records, of: string) =>
  records.read({ condition: { kind: 'compare', attribute: 'of', operator: '=', value: of }, order: [] }).length

describe('an attribute that holds ids of several models', () => {
  test('lists all of them, and its model waits for each', async () => {
    const { sdk, note, parts } = await withNotes()
    expect(note.getBelongsTo('of')).toEqual(['City', 'Person'])
    expect(sdk.getModel('City')?.associations).toBe('Note,of,Draft,of')
    expect(sdk.getModel('Person')?.associations).toBe('Note,of,Draft,of')
    expect(parts.registry.get('Note')?.definition.belongsTo).toEqual(new Map([['of', ['City', 'Person']]]))
  })

  test('keeps them over a restart', async () => {
    const directory = directories.make()
    const { sdk } = await withNotes(directory)
    await sdk.close()
    opened.length = 0
    const again = await withNotes(directory)
    expect(
      again.parts.registry
        .stored('user')
        .find(({ name }) => name === 'Note')
        ?.definition.belongsTo.get('of'),
    ).toEqual(['City', 'Person'])
  })

  test('is resolved in the model that created the id', async () => {
    const { sdk, server, cities, people, notes, drafts } = await withNotes()
    const [city, person] = [cities.insert({}).object, people.insert({}).object]
    const [first, second] = [notes.insert({ of: city }).object, notes.insert({ of: person }).object]
    const draft = drafts.insert({ of: person }).object
    await sdk.sync()
    const [realCity, realPerson] = [cities.get(city)?.object, people.get(person)?.object]
    expect([realCity, realPerson].toSorted()).toEqual(['1', '2'])
    expect(notes.get(first)?.attributes['of']).toBe(realCity)
    expect(notes.get(second)?.attributes['of']).toBe(realPerson)
    expect(drafts.get(draft)?.attributes['of']).toBe(realPerson)
    expect(Object.values(server.live('Note')).map(({ of }) => of)).toEqual([realCity, realPerson])
    expect([named(notes, city), named(notes, person), named(drafts, person)]).toEqual([1, 1, 1])
    expect(notes.insert({ of: city }).attributes['of']).toBe(realCity)
  })

  test.each(PAIRS)(
    'is followed only where one owner made or linked it and no other has it: %s, %s',
    async (...pair) => {
      const { sdk, server, cities, people, notes } = await withNotes()
      const inState = (state: State) => [cities, people].filter((_, at) => pair[at] === state)
      const id = '77'
      const source = (records: Records) => (records === cities ? 'City' : 'Person')
      for (const records of inState('row')) server.write(source(records), { [id]: {} })
      for (const records of inState('link')) records.insert({}, id)
      await sdk.sync()
      for (const records of inState('create')) records.insert({}, id)
      const note = notes.insert({ of: id }).object
      await sdk.sync()

      const [own, ...others] = [...inState('link'), ...inState('create')]
      const isFollowed = own !== undefined && others.length === 0 && inState('row').length === 0
      const now = isFollowed ? own.get(id)?.object : id
      expect(now === id).toBe(!isFollowed)
      expect(notes.get(note)?.attributes).toEqual({ of: now })
      expect(Object.values(server.live('Note'))).toEqual([{ of: now }])
    },
  )

  test('is kept where another owner has a row of that id, as real ids of two models may collide', async () => {
    const { sdk, server, cities, people, notes } = await withNotes()
    const city = cities.insert({}).object
    server.write('Person', { [city]: { name: 'of the same id' } })
    await sdk.sync('Person')
    const note = notes.insert({ of: city }).object
    await sdk.sync()
    expect(cities.get(city)?.object).toBe('1')
    expect(people.get(city)?.object).toBe(city)
    expect(notes.get(note)?.attributes['of']).toBe(city)
    expect([named(notes, city), named(notes, '1')]).toEqual([1, 0])
  })
})
