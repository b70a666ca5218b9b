import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from '@jest/globals'
import { temporaryDirectories } from '../testing/open-device.js'
import { RemoteWorld } from './world.fixture.js'

const directories = temporaryDirectories()
const worlds: RemoteWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})
afterAll(() => directories.removeAll())

async function begin(directory = directories.make()) {
  const world = new RemoteWorld(directory)
  worlds.push(world)
  await world.open()
  await world.settle()
  const [first, second] = world.pages
  if (!first || !second) throw new Error('expected two pages')
  const cities = (): number => world.owner?.sdk.models.City.count() ?? -1
  return { world, directory, link: first, page: first.device, other: second.device, cities }
}

/** How a promise ended; undefined while it is open. */
function watched(promise: Promise<unknown>): { readonly end: () => unknown } {
  let end: unknown
  promise.then(
    result => {
      end = { result }
    },
    error => {
      end = { code: error.code, details: error.details, error }
    },
  )
  return { end: () => end }
}

test('a former owner begins no call, though its files are open and the call reached it', async () => {
  const { world, page, cities } = await begin()
  const call = watched(page.models.City.create({ name: 'Paris' }))
  const [late] = world.packets.splice(0)
  await world.open()
  await world.settle()
  expect(call.end()).toMatchObject({ result: { name: 'Paris' } })
  for (let second = 0; second < 3; second++) {
    world.timers.pass(1000)
    await world.settle()
  }
  expect(world.notes()).toBe(0)
  if (late) world.packets.push(late)
  await world.settle()
  expect(cities()).toBe(1)
})

test('a message repeated after its reply was acknowledged does nothing', async () => {
  const { world, page, cities } = await begin()
  const call = watched(page.models.City.create({ name: 'Paris' }))
  const [again] = world.packets
  await world.settle()
  expect(call.end()).toMatchObject({ result: { name: 'Paris' } })
  world.timers.pass(1000)
  await world.settle()
  world.timers.pass(1000)
  await world.settle()
  expect(world.notes()).toBe(0)
  if (again) world.packets.push(again)
  await world.settle()
  expect(cities()).toBe(1)
})

test('a note is removed in the transaction of the next write of its file', async () => {
  const { world, page } = await begin()
  for (let at = 0; at < 3; at++) {
    void page.models.City.create({ name: `${at}` })
    await world.settle()
    expect(world.notes()).toBe(1)
  }
})

test('no call begins more than ten seconds after it was sent', async () => {
  const { world, page, cities } = await begin()
  const call = watched(page.models.City.create({ name: 'Paris' }))
  const [late] = world.packets.splice(0)
  world.timers.pass(10_001)
  if (late) world.packets.push(late)
  await world.settle()
  expect(cities()).toBe(0)
  expect(call.end()).toBeUndefined()
})

test('an unanswered call fails with owner_silent, and runs once when it is repeated', async () => {
  const { world, page, cities } = await begin()
  const call = watched(page.models.City.create({ name: 'Paris' }))
  while (world.packets.length > 1) world.deliver()
  world.deliver()
  world.packets.splice(0)
  world.timers.pass(12_000)
  await world.settle()
  const { code, error } = call.end() as { readonly code: string; readonly error: never }
  expect(code).toBe('owner_silent')
  const again = watched(page.repeat(error))
  await world.settle()
  expect(again.end()).toMatchObject({ result: { name: 'Paris' } })
  expect(cities()).toBe(1)
})

test('a call does not wait where there is no owner', async () => {
  const { world, page } = await begin()
  await world.kill()
  const read = watched(page.models.City.find())
  world.timers.pass(12_000)
  await world.settle()
  expect(read.end()).toMatchObject({ code: 'owner_silent' })
})

test('no call times out while the device reports that it is busy', async () => {
  const { world, page } = await begin()
  world.owner?.host.updateStatus({ busy: true })
  await world.settle()
  const read = watched(page.models.City.count())
  world.packets.splice(0)
  world.timers.pass(60_000)
  await world.settle()
  expect(read.end()).toBeUndefined()
})

test('at a hand-over reads are repeated, and a sync fails with device_moved', async () => {
  const { world, page } = await begin()
  const read = watched(page.models.City.count())
  const sync = watched(page.sync())
  await world.kill()
  await world.open()
  await world.settle()
  expect(read.end()).toEqual({ result: 0 })
  expect(sync.end()).toMatchObject({ code: 'device_moved', details: { method: 'sync' } })
})

test('a login that no owner received goes to the first owner', async () => {
  const { world, page } = await begin()
  await world.kill()
  for (const link of world.pages) link.detach()
  const login = watched(page.login('ada', 'ada'))
  await world.open()
  await world.settle()
  expect(login.end()).toEqual({ result: undefined })
  expect(page.status.current()).toMatchObject({ userName: 'ada', loggedIn: true })
})

test('a write of one user is not made for another', async () => {
  const { world, page, other, cities } = await begin()
  void page.login('ada', 'ada')
  await world.settle()
  const { userId } = page.status.current()
  void page.login('bert', 'bert')
  world.deliver()
  // Logged in, and the other page has not heard of it.
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  const call = watched(other.models.City.create({ name: 'Paris' }))
  await world.settle()
  expect(call.end()).toMatchObject({ code: 'user_changed', details: { expected: userId } })
  expect(cities()).toBe(0)
  expect(other.status.current().userName).toBe('bert')
})

const copy = (from: string, to: string): void => {
  for (const suffix of ['', '-wal']) {
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
    else rmSync(to + suffix, { force: true })
  }
}

/** The process died in the commit of a call over two files: some of them have it. Then another owner is asked again. */
async function afterTorn(lost: readonly string[]) {
  const { world, directory, page } = await begin()
  const path = (file: string) => join(directory, `${file}.sqlite`)
  for (const file of lost) copy(path(file), join(directory, `${file}.before`))
  const call = watched(page.actions.visitNew('Paris', 'rain'))
  world.deliver()
  world.packets.splice(0)
  await world.kill()
  for (const file of lost) {
    copy(join(directory, `${file}.before`), path(file))
    rmSync(`${path(file)}-shm`, { force: true })
  }
  await world.open()
  await world.settle()
  const { models } = world.owner?.sdk ?? {}
  return { end: call.end(), found: [models?.City.count(), models?.Visit.count()] }
}

test.each([['app'], ['user']])(
  'a call that only some of its files have noted is unfinished: %s lost it',
  async file => {
    const { end, found } = await afterTorn([file])
    expect(end).toMatchObject({ code: 'call_unfinished', details: { expected: 2, found: 1 } })
    expect(found).toEqual(file === 'app' ? [0, 1] : [1, 0])
  },
)

test.each([[[]], [['app', 'user']]])(
  'a call that all or none of its files have noted is done once: %j lost it',
  async lost => {
    const { end, found } = await afterTorn(lost)
    expect(end).toMatchObject({ result: { note: 'rain' } })
    expect(found).toEqual([1, 1])
  },
)

test('a call whose note may have expired is not repeated', async () => {
  const { world, page, cities } = await begin()
  const call = watched(page.models.City.create({ name: 'Paris' }))
  world.deliver()
  world.packets.splice(0)
  for (const link of world.pages) link.detach()
  world.timers.pass(13_000)
  await world.settle()
  const { error } = call.end() as { readonly error: never }
  world.timers.pass(25 * 60 * 60 * 1000)
  expect(world.notes()).toBe(0)
  const again = watched(page.repeat(error))
  await world.open()
  await world.settle()
  expect(again.end()).toMatchObject({ code: 'call_unfinished' })
  expect(cities()).toBe(1)
})
