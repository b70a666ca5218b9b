import { expect, jest, test } from '@jest/globals'
import { PerUserLimiter } from './per-user-limiter.js'

const turnsOf = (options: { running?: number; waiting?: number; longest?: number } = {}) =>
  new PerUserLimiter({ running: 1, waiting: 9, longest: 60_000, refusal: () => new Error('too many'), ...options })

/** Work that ends when the test says so. */
function held() {
  let end = (): void => undefined
  const work = new Promise<void>(resolve => {
    end = resolve
  })
  return { work: () => work, end: () => end() }
}
const later = () => new Promise<void>(resolve => setImmediate(resolve))

test('a user waits only for turns of the same user', async () => {
  const turns = turnsOf({ running: 2 })
  const begun: string[] = []
  const { work, end } = held()
  const run = (user: string) =>
    turns.run(user, () => {
      begun.push(user)
      return work()
    })
  const all = [run('ada'), run('ada'), run('ada'), run('grace')]
  await later()
  expect(begun).toEqual(['ada', 'ada', 'grace'])
  end()
  await Promise.all(all)
  expect(begun).toEqual(['ada', 'ada', 'grace', 'ada'])
})

test('a line is bounded', async () => {
  const turns = turnsOf({ waiting: 1 })
  const { work, end } = held()
  const first = turns.run('ada', work)
  const second = turns.run('ada', work)
  await expect(turns.run('ada', work)).rejects.toThrow('too many')
  end()
  await Promise.all([first, second])
  expect(await turns.run('ada', async () => 'done')).toBe('done')
})

test('long work continues after its turn ends', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] })
  const turns = turnsOf({ longest: 1000 })
  const { work, end } = held()
  const slow = turns.run('ada', work)
  const next = turns.run('ada', async () => 'done')
  jest.advanceTimersByTime(1000)
  expect(await next).toBe('done')
  end()
  await slow
  jest.useRealTimers()
  expect(await turns.run('ada', async () => 'again')).toBe('again')
})

test('work that fails passes its turn on', async () => {
  const turns = turnsOf()
  const failing = turns.run('ada', () => Promise.reject(new Error('it failed')))
  const next = turns.run('ada', async () => 'done')
  await expect(failing).rejects.toThrow('it failed')
  expect(await next).toBe('done')
})
