import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { EventLoopTurns } from './event-loop-turns.js'

let now = 0
beforeEach(() => {
  now = 0
  jest.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  jest.restoreAllMocks()
})

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

/** Requests, each with the milliseconds of the event loop that it takes. */
function served(turns: EventLoopTurns) {
  const order: string[] = []
  const request = async (user: string, milliseconds: number): Promise<void> => {
    const turn = turns.enter(user)
    if (turn) await turn
    order.push(user)
    now += milliseconds
  }
  return { order, request }
}

test('a user who used up a share of the event loop waits, and others do not', async () => {
  const { order, request } = served(new EventLoopTurns())
  const flood = async () => {
    for (let n = 0; n < 3; n++) {
      await new Promise<void>(resolve => process.nextTick(resolve))
      void request('ada', 30)
    }
  }
  await flood()
  expect(order).toEqual(['ada'])
  await request('grace', 1)
  expect(order).toEqual(['ada', 'grace'])
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(order).toEqual(['ada', 'grace', 'ada', 'ada'])
})

test('short requests of one turn are served together, and a long one costs as many turns as it took shares', async () => {
  const { order, request } = served(new EventLoopTurns())
  for (let n = 0; n < 5; n++) void request('ada', 1)
  expect(order).toHaveLength(5)
  await nextTurn()
  void request('ada', 50)
  await new Promise<void>(resolve => process.nextTick(resolve))
  void request('ada', 1)
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  expect(order).toHaveLength(6)
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  expect(order).toHaveLength(7)
})

test('those who wait are served in the order in which they came, as many in a turn as fit', async () => {
  const turns = new EventLoopTurns()
  const order: number[] = []
  void turns.enter('ada')
  now += 15
  await new Promise<void>(resolve => process.nextTick(resolve))
  for (let n = 0; n < 6; n++)
    void turns.enter('ada')?.then(() => {
      order.push(n)
      now += 4
    })
  const seen: number[] = []
  for (let turn = 0; turn < 4; turn++) {
    await nextTurn()
    seen.push(order.length)
  }
  expect(seen).toEqual([2, 4, 6, 6])
  expect(order).toEqual([0, 1, 2, 3, 4, 5])
})
