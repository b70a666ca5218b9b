import { SyncError } from '@godwit/protocol'
import { afterEach, expect, test } from '@jest/globals'
import { temporaryDirectories } from '../testing/open-device.js'
import type { PageMessage } from './protocol.js'
import { RemoteWorld } from './world.fixture.js'

const directories = temporaryDirectories()
const worlds: RemoteWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
  directories.removeAll()
})

const silent = () => new SyncError('owner_silent', 'The host does not answer.')

async function begin() {
  const world = new RemoteWorld(directories.make())
  worlds.push(world)
  await world.open()
  await world.settle()
  world.owner?.sdk.models.City.create({ name: 'Paris' })
  const [link] = world.pages
  if (!link) throw new Error('expected a page')
  const displayed = link.device.models.City.live()
  const reported: unknown[] = []
  displayed.subscribe(() => reported.push(displayed.current().status))
  await world.settle()
  return {
    world,
    link,
    displayed,
    reported,
    problem: () => link.device.status.current().problem?.code,
    check(times: number) {
      for (let time = 0; time < times; time++) link.check(silent)
    },
    greetings: () => world.packets.filter(({ message }) => (message as PageMessage).godwit === 'hello').length,
  }
}

test('after ten seconds without a message the status says so, and shown rows stay', async () => {
  const { check, problem, displayed, reported } = await begin()
  check(9)
  expect(problem()).toBeUndefined()
  check(1)
  expect(problem()).toBe('owner_silent')
  expect([displayed.current().rows.length, reported]).toEqual([1, ['ready']])
})

test('queries without rows say that they wait, those that begin meanwhile too, and go on by themselves', async () => {
  const { world, link, check, problem, displayed, reported } = await begin()
  const early = link.device.models.City.live({ limit: 5 })
  early.subscribe(() => {})
  check(10)
  const late = link.device.models.City.live({ limit: 6 })
  late.subscribe(() => {})
  for (const live of [early, late])
    expect(live.current()).toMatchObject({ status: 'failed', rows: [], error: { code: 'owner_silent' } })
  await world.settle()
  expect(problem()).toBeUndefined()
  for (const live of [early, late]) expect(live.current()).toMatchObject({ status: 'ready', rows: [{ name: 'Paris' }] })
  expect([displayed.current().status, reported]).toEqual(['ready', ['ready']])
})

test('a host that speaks is not silent: each message begins the ten seconds again', async () => {
  const { world, check, problem, greetings } = await begin()
  for (let round = 0; round < 3; round++) {
    check(9)
    expect(greetings()).toBeGreaterThan(0)
    await world.settle()
  }
  expect(problem()).toBeUndefined()
})

test('a host that is heard every few seconds is asked nothing', async () => {
  const { check, greetings } = await begin()
  check(5)
  expect(greetings()).toBe(0)
})

test('a page that was refused asks no more, and its queries show the same rows once a host takes it', async () => {
  const { world, link, check, problem, greetings, displayed } = await begin()
  const { rows } = displayed.current()
  link.fail(new SyncError('reload_needed', 'Reload the page.'))
  expect(displayed.current()).toMatchObject({ status: 'failed', rows, error: { code: 'reload_needed' } })
  check(30)
  expect([problem(), greetings()]).toEqual(['reload_needed', 0])
  world.connect(link)
  await world.settle()
  expect(problem()).toBeUndefined()
  expect(displayed.current().status).toBe('ready')
  expect(displayed.current().rows[0]).toBe(rows[0])
})
