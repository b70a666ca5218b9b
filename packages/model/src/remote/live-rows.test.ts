import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { temporaryDirectories } from '../testing/open-device.js'
import { uncaughtErrors } from '../testing/uncaught-errors.fixture.js'
import { LiveQueries } from './live-rows.js'
import { rowsSender } from './send-rows.js'
import { RemoteWorld } from './world.fixture.js'

const directories = temporaryDirectories()
const worlds: RemoteWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
  directories.removeAll()
})

type Row = { readonly id: string; readonly value: number; readonly nested: { readonly at: Date } }
const row = (id: string, value: number): Row => ({ id, value, nested: { at: new Date(value) } })
const rows = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), value: fc.nat({ max: 2 }) }),
  {
    selector: ({ id }) => id,
  },
)

test('a page has the rows of the device, and the same objects for those of equal content', () => {
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 8 }), fc.nat({ max: 8 }), (answers, moved) => {
      let displayed: readonly Row[] = []
      let reported = 0
      const queries = new LiveQueries(() => {})
      queries.watch('City', [], {
        rows(list) {
          reported++
          displayed = list as readonly Row[]
        },
        failed() {},
      })
      // The device gives the same object for a row that stayed the same; another device after a hand-over does not.
      let known = new Map<string, Row>()
      let send = rowsSender(1, message => queries.rows(structuredClone(message)))
      for (const [at, answer] of answers.entries()) {
        if (at === moved) {
          known = new Map()
          send = rowsSender(1, message => queries.rows(structuredClone(message)))
        }
        const now = answer.map(({ id, value }) => {
          const old = known.get(id)
          return old?.value === value ? old : row(id, value)
        })
        known = new Map(now.map(one => [one.id, one]))
        const [before, times] = [displayed, reported]
        send({ ids: now.map(({ id }) => id), rows: now })
        expect(JSON.stringify(displayed)).toBe(JSON.stringify(now))
        for (const one of displayed) {
          const old = before.find(({ id }) => id === one.id)
          if (old?.value === one.value) expect(one).toBe(old)
          expect(Object.isFrozen(one) && Object.isFrozen(one.nested)).toBe(true)
        }
        const isSame = before.length === displayed.length && before.every((one, place) => one === displayed[place])
        if (isSame && at > 0) expect([displayed, reported]).toEqual([before, times])
      }
    }),
    { numRuns: 300 },
  )
})

test('a list that changes at one index is sent as that change', () => {
  const sent: object[] = []
  const send = rowsSender(1, message => sent.push(message))
  const all = Array.from({ length: 1000 }, (_, at) => row(`${at}`, at))
  const ids = all.map(({ id }) => id)
  send({ ids, rows: all })
  const extra = row('x', 1)
  send({ ids: [...ids.slice(0, 5), 'x', ...ids.slice(5)], rows: [...all.slice(0, 5), extra, ...all.slice(5)] })
  expect(sent[1]).toEqual({ godwit: 'rows', live: 1, number: 1, from: 5, removed: 0, added: ['x'], rows: [extra] })
})

async function begin() {
  const world = new RemoteWorld(directories.make())
  worlds.push(world)
  await world.open()
  await world.settle()
  const page = world.pages[0]?.device
  if (!page) throw new Error('expected a page')
  return { world, page }
}

test('after a hand-over rows keep their identity, and unchanged queries notify no observer', async () => {
  const { world, page } = await begin()
  world.owner?.sdk.models.City.createMany([{ name: 'a' }, { name: 'b' }])
  const live = page.models.City.live()
  let reported = 0
  live.subscribe(() => reported++)
  await world.settle()
  const before = live.current()
  expect([before.rows.length, reported]).toEqual([2, 1])
  await world.kill()
  await world.open()
  await world.settle()
  expect([live.current(), reported]).toEqual([before, 1])
  expect(live.current()).toBe(before)
  world.owner?.sdk.models.City.create({ name: 'c' })
  await world.settle()
  expect(
    live
      .current()
      .rows.slice(0, 2)
      .every((one, at) => one === before.rows[at]),
  ).toBe(true)
})

test('a lost result is sent again as a whole', async () => {
  const { world, page } = await begin()
  const live = page.models.City.live()
  live.subscribe(() => {})
  await world.settle()
  for (const name of ['a', 'b']) {
    world.owner?.sdk.models.City.create({ name })
    if (name === 'a') world.packets.splice(0)
  }
  await world.settle()
  expect(live.current().rows.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('live queries restart for another user', async () => {
  const { world, page } = await begin()
  void page.login('ada', 'ada')
  await world.settle()
  world.owner?.sdk.models.Visit.create({ note: 'of ada' })
  const live = page.models.Visit.live({ select: ['note'] })
  live.subscribe(() => {})
  await world.settle()
  const before = live.current().rows
  void page.login('bert', 'bert')
  await world.settle()
  expect(page.status.current().userName).toBe('bert')
  expect(live.current().rows).toEqual(world.owner?.sdk.models.Visit.find({ select: ['note'] }))
  expect(live.current().rows).toBe(before)
})

test('SQL queries, refusals and replaced values are live, too', async () => {
  const { world, page } = await begin()
  const heard: unknown[] = []
  const stop = page.sql.observe<{ n: number }>('SELECT count(*) n FROM City', [], rows => heard.push(rows[0]?.n))
  await world.settle()
  world.owner?.sdk.models.City.create({ name: 'a' })
  await world.settle()
  stop()
  world.owner?.sdk.models.City.create({ name: 'b' })
  await world.settle()
  expect(heard).toEqual([0, 1])
  const refused = page.liveRefused()
  refused.subscribe(() => {})
  await world.settle()
  expect(refused.current()).toEqual({ status: 'ready', rows: [], error: undefined })
  const overwritten = page.liveOverwritten('Visit')
  overwritten.subscribe(() => {})
  await world.settle()
  expect(overwritten.current()).toEqual({ status: 'ready', rows: [], error: undefined })
  const listed = page.overwritten()
  await world.settle()
  expect(await listed).toEqual([])
})

test('an invalid query fails its snapshot, and is an event where it is observed', async () => {
  const { world, page } = await begin()
  const options = { conditions: { nothing: 1 } } as never
  const live = page.models.City.live(options)
  live.subscribe(() => {})
  const event = page.events().next()
  page.models.City.observe(options, () => {})
  await world.settle()
  expect(live.current()).toMatchObject({ status: 'failed', rows: [], error: { code: 'query_invalid' } })
  expect(await event).toMatchObject({ value: { kind: 'error', source: 'City', error: { code: 'query_invalid' } } })
})

test('an observer of a page that throws stops no other', async () => {
  const { world, page } = await begin()
  const uncaught = uncaughtErrors()
  const heard: number[] = []
  page.models.City.observe({}, () => {
    throw new Error('mine')
  })
  page.models.City.observe({}, rows => heard.push(rows.length))
  await world.settle()
  expect(heard).toEqual([0])
  expect(uncaught.taken()).toEqual([new Error('mine')])
})

test('live queries of a closed page end', async () => {
  const { world, page } = await begin()
  page.models.City.observe({}, () => {})
  await world.settle()
  page.close()
  await world.settle()
  world.owner?.sdk.models.City.create({ name: 'a' })
  expect(world.packets.filter(({ message }) => (message as { godwit: string }).godwit === 'rows')).toEqual([])
})
