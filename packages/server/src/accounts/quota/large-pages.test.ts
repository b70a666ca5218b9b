import { afterEach, expect, jest, test } from '@jest/globals'
import { EventLoopTurns } from './event-loop-turns.js'
import { LargePages } from './large-pages.js'

afterEach(() => {
  jest.restoreAllMocks()
})

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

test('large pages of one user that waited for the same commit are not read in one turn', async () => {
  let now = 0
  jest.spyOn(performance, 'now').mockImplementation(() => now)
  const turns = new EventLoopTurns()
  const pages = new LargePages(turns)
  const committed = Promise.withResolvers<void>()
  const order: string[] = []
  const readAs = (user: string) => async (): Promise<void> => {
    await committed.promise
    order.push(user)
    now += 30
  }
  for (let n = 0; n < 8; n++) void pages.run('ada', 10_000, readAs('ada'))
  await nextTurn()
  committed.resolve()
  await nextTurn()
  expect(order).toEqual(['ada', 'ada'])
  await pages.run('grace', 10_000, readAs('grace'))
  expect(order).toEqual(['ada', 'ada', 'grace'])
  for (let turn = 0; turn < 40; turn++) await nextTurn()
  expect(order.filter(user => user === 'ada')).toHaveLength(8)
})

test('what a request does after it has waited counts too', async () => {
  let now = 0
  jest.spyOn(performance, 'now').mockImplementation(() => now)
  const turns = new EventLoopTurns()
  expect(turns.enter('ada')).toBeUndefined()
  await nextTurn()
  // The store has answered: the page is written.
  turns.resume('ada')
  turns.resume('ada')
  now += 25
  await new Promise<void>(resolve => process.nextTick(resolve))
  expect(turns.enter('ada')).toBeInstanceOf(Promise)
  expect(turns.enter('grace')).toBeUndefined()
})
