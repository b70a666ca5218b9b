import { expect, test } from '@jest/globals'
import { KeyedQueue } from './keyed-queue.js'

test('tasks of a key run one after the other, those of others meanwhile, and a failure ends only its own', async () => {
  const queue = new KeyedQueue()
  const log: string[] = []
  const task =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`)
      await new Promise(resolve => setImmediate(resolve))
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    }
  const results = await Promise.allSettled([
    queue.run('a', task('a1', true)),
    queue.run('a', task('a2')),
    queue.run('b', task('b1')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(log.indexOf('a1 ends')).toBeLessThan(log.indexOf('a2 begins'))
  expect(log.indexOf('b1 begins')).toBeLessThan(log.indexOf('a1 ends'))
})
