import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { testEngine } from '../../testing/engine.fixture.js'
import type { Credential } from './credentials.js'
import { GATHER, LastUseRecorder } from './last-use.js'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const CREDENTIAL: Credential = {
  id: 'id',
  purpose: 'session',
  login: 'ada',
  userId: 'u',
  role: 'device',
  createdAt: 0,
  expiresAt: 0,
  seenAt: 0,
}

async function recorder() {
  const engine = await testEngine([])
  const { registry } = engine.store
  const written: string[] = []
  const merge: typeof registry.merge = (_kind, id) => {
    written.push(id)
    return Promise.resolve(undefined)
  }
  const store = { ...engine.store, registry: { ...registry, merge } }
  const notes = new LastUseRecorder({ ...engine, store })
  return { engine, notes, use: (id: string) => notes.client(id, 0), written, take: () => written.splice(0) }
}

test('uses of one turn are written at once, those that follow soon together', async () => {
  const { use, take } = await recorder()
  use('a')
  use('b')
  expect(take()).toEqual(['a', 'b'])
  jest.advanceTimersByTime(1)
  for (const id of ['c', 'd', 'e']) {
    use(id)
    use(id)
    jest.advanceTimersByTime(GATHER / 10)
  }
  expect(take()).toEqual([])
  jest.advanceTimersByTime(GATHER)
  expect(take()).toEqual(['c', 'd', 'e'])
  use('f')
  expect(take()).toEqual([])
  jest.advanceTimersByTime(GATHER)
  expect(take()).toEqual(['f'])
  jest.advanceTimersByTime(2 * GATHER)
  use('g')
  expect(take()).toEqual(['g'])
})

test('a thousand devices that come within a second take about ten writes of the store', async () => {
  const { use, written } = await recorder()
  let groups = 0
  let before = 0
  for (let device = 0; device < 1000; device++) {
    use(`device ${device}`)
    jest.advanceTimersByTime(1)
    if (written.length > before) groups++
    before = written.length
  }
  jest.advanceTimersByTime(GATHER)
  expect(written).toHaveLength(1000)
  expect(groups).toBeLessThanOrEqual(1 + 1000 / GATHER)
})

test('a use is noted although the clock was set back', async () => {
  const { engine, notes, take } = await recorder()
  const seenAt = engine.clock()
  notes.client('a', seenAt)
  expect(take()).toEqual([])
  engine.pass(-24 * 3_600_000)
  notes.client('a', seenAt)
  notes.credential({ ...CREDENTIAL, seenAt })
  expect(take()).toEqual(['a', 'id'])
})
